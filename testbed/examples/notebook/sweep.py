# ---
# jupyter:
#   jupytext:
#     formats: py:percent,ipynb
#   kernelspec:
#     name: python3
# ---

# %% [markdown]
# # A sweep in pandas
#
# `headgate reproduce incast --set senders=3,5,7 --seed 1..3 --out result` leaves long tables in
# `result`: one value in a row, units in a column of their own, the same columns for every scenario.

# %%
import sys
from pathlib import Path

import pandas as pd

result = Path(sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "result")
measures = pd.read_csv(result / "measures.csv")
parameters = pd.read_csv(result / "parameters.csv")
measures.head()

# %% [markdown]
# Parameters become columns: words stay words, numbers are in the base unit that `unit` names.

# %%
settings = parameters.pivot(index="run", columns="parameter", values="value")


def as_numbers(column):
    try:
        return pd.to_numeric(column)
    except ValueError:
        return column


settings = settings.apply(as_numbers)
table = measures.merge(settings, left_on="run", right_index=True)

# %% [markdown]
# A measure against a parameter: mean, standard deviation and number of runs over the seeds.

# %%
dropped = table[table["measure"] == "frames dropped"]
summary = dropped.groupby("senders")["value"].agg(["mean", "std", "count"])
print("frames dropped, by senders (" + dropped["unit"].iloc[0] + ")")
print(summary.to_string())

# %% [markdown]
# Series over time are in `series.csv`, flows in `flows.csv` (empty where no flow has an end).

# %%
series = pd.read_csv(result / "series.csv")
queue = series[series["series"].str.startswith("queue ")]
highest = queue.groupby("run")["value"].max()
print("highest queue, by run (" + queue["unit"].iloc[0] + ")")
print(highest.to_string())

flows = pd.read_csv(result / "flows.csv")
if not flows.empty:
    print(flows.groupby("flows")["slowdown"].describe(percentiles=[0.5, 0.95, 0.99, 0.999]))
