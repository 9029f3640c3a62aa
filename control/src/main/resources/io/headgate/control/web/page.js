// Draws what the switches count. Lines of counters come from the server: the first describes the
// network and has all values, later ones have the changes. Nothing is sent but questions why a
// pause is.

const SVG = 'http://www.w3.org/2000/svg';
const KEPT_S = 70; // of the past, while it is live
const WINDOW_S = 0.35; // over which live rates are measured
const RATE_FRAMES = 10; // a rate is measured over the time of so many long frames at least
const LONG_FRAME_BITS = 12_304;
const FRAME_OVERHEAD_BYTES = 24; // preamble, FCS and gap, which the counted bytes lack
const TOGETHER_MS = 10; // lines that follow one another so soon have waited for the browser
const READING_SLICE_MS = 50; // then the browser may draw
const READING_DRAW_MS = 100; // between two pictures while a recording is read
const MOST_PORTS = 160; // more are shown by tier
const LEVELS = [['idle', 0.005], ['low', 1 / 3], ['half', 2 / 3], ['high', 0.95], ['full', Infinity]];
const TCD_STATES = ['', 'U', 'C'];
const TCD_WORDS = ['not congested', 'undetermined', 'congested'];

// What the server asks for: who has read the address where it was printed may see the switches.
const token = location.hash.slice(1);
const address = (path, more = {}) => `/${path}?${new URLSearchParams({ token, ...more })}`;
addEventListener('hashchange', () => location.reload());

const byId = (id) => document.getElementById(id);
const still = matchMedia('(prefers-reduced-motion: reduce)');
const level = (share) => LEVELS.find(([, below]) => share < below)[0];

function svg(parent, name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function html(parent, name, text = '', className = '') {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  parent?.append(element);
  return element;
}

// Only what differs is written: an unchanged attribute costs the browser a layout otherwise.
function set(element, key, value) {
  if (element.getAttribute(key) !== String(value)) element.setAttribute(key, value);
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function scaled(value, unit) {
  const [size, prefix] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([s]) => Math.abs(value) >= s) ?? [1, ''];
  const number = value / size;
  return `${number.toFixed(size === 1 || number >= 100 ? 0 : number >= 10 ? 1 : 2)} ${prefix}${unit}`;
}
const rate = (bps) => scaled(bps, 'b/s');
const bytes = (value) => scaled(value, 'B');
const percent = (share) => `${Math.round(100 * share)} %`;

function duration(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(1)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toFixed(seconds >= 0.1 ? 0 : 1)} ms`;
  return seconds >= 1e-6 || seconds === 0 ? `${(seconds * 1e6).toFixed(0)} µs` : `${(seconds * 1e9).toFixed(0)} ns`;
}

// ---- What was counted, by time ------------------------------------------------------------------

/** Index of the last of some times that is not after one; -1 if all are. With a stride, other values are between them. */
function lastNotAfter(times, time, stride = 1, length = times.length) {
  let low = -1;
  let high = length / stride;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle * stride] <= time) low = middle; else high = middle;
  }
  return low * stride;
}

const kinds = new Map();

/** What the name of a counter says. There are few names, and thousands of ports that have them. */
function kindOf(name) {
  let kind = kinds.get(name);
  if (!kind) {
    const [, word, digit] = /^(?:in|out) (.*)\.p([0-7])$/.exec(name) ?? [];
    const isDrop = name.includes(' drop.');
    kind = { word, priority: Number(digit), isDrop, jump: isDrop ? 'drop' : word === 'stopped' || word === 'pfc.xoff.sent' ? 'pause' : null };
    kinds.set(name, kind);
  }
  return kind;
}

/** A counter: its values from the times on at which they changed. */
class Series {
  constructor(name, isTotal, before) {
    this.kind = kindOf(name);
    this.isTotal = isTotal;
    this.before = before;
    // Time, value, time, value, …: a recording has millions, for which lists of numbers are slow.
    this.points = new Float64Array(8);
    this.length = 0;
  }

  add(time, value) {
    if (this.length === this.points.length) {
      const longer = new Float64Array(2 * this.length);
      longer.set(this.points);
      this.points = longer;
    }
    this.points[this.length++] = time;
    this.points[this.length++] = value;
  }

  last(time) { return lastNotAfter(this.points, time, 2, this.length); }

  at(time) {
    const index = this.last(time);
    return index < 0 ? this.before : this.points[index + 1];
  }

  /** For how long a counter that says how long something has lasted has been saying so: it stands still with its port. */
  lasting(time) {
    const index = this.last(time);
    return index < 0 || !this.points[index + 1] ? 0 : this.points[index + 1] / 1e9 + time - this.points[index];
  }

  forget(time) {
    const old = this.last(time);
    if (old > 200) {
      this.before = this.points[old - 1];
      this.points.copyWithin(0, old, this.length);
      this.length -= old;
    }
  }
}

/** What was counted of one network. */
class History {
  times = [];
  deadlocks = [];
  numbered = [];
  firsts = {}; // by what can be jumped to: when it is seen first

  constructor(network) {
    this.network = network;
    this.ports = network.ports.map((port, number) => ({ ...port, number, id: `${port.node}:${port.name}`, series: new Map() }));
    // In a shorter window the slowest link has a frame more or less than its rate.
    this.rateSeconds = RATE_FRAMES * LONG_FRAME_BITS / Math.min(...this.ports.map((port) => port.rateBps || Infinity));
  }

  /** Whether a line is of another network, or of a run that has begun anew. */
  isOther(line) {
    return Boolean(line.network) && (JSON.stringify(line.network) !== JSON.stringify(this.network) || line.t < this.end);
  }

  take(line) {
    if (line.network) this.numbered = [];
    for (const [port, name, kind] of line.names ?? []) {
      const known = this.ports[port].series;
      // What is not 0 when we come has been so before; what comes later began from 0.
      if (!known.has(name)) known.set(name, new Series(name, kind === 't', line.network ? null : 0));
      this.numbered.push(known.get(name));
    }
    const { t, changes } = line;
    const { numbered, firsts } = this;
    for (let i = 0; i < changes.length; i += 2) {
      const series = numbered[changes[i]];
      const now = changes[i + 1];
      series.before ??= now;
      series.add(t, now);
      if (series.kind.jump && now > 0) firsts[series.kind.jump] ??= t;
    }
    if ('deadlock' in line) this.deadlocks.push([line.t, line.deadlock]);
    if (line.deadlock) this.firsts.deadlock ??= line.t;
    this.times.push(line.t);
  }

  get end() { return this.times.at(-1) ?? 0; }
  get start() { return this.times[0] ?? 0; }

  /** The time of the last line not after a time. */
  line(time) {
    return this.times[Math.max(0, lastNotAfter(this.times, time))] ?? 0;
  }

  forget(time) {
    if (this.times.length < 200 || this.times[100] > time) return;
    this.times.splice(0, 100);
    for (const port of this.ports) for (const series of port.series.values()) series.forget(time);
  }

  deadlock(time) { return this.deadlocks.findLast(([t]) => t <= time)?.[1] ?? null; }
}

const WORDS = {
  'stopped': 'times stopped', 'stopped.ns': 'time stopped', 'stopped.now.ns': 'stopped for', 'pfc.stopping.now.ns': 'stops the far end for',
  'pfc.xoff.sent': 'pauses sent', 'pfc.xoff.received': 'pauses received', 'credits.full.now.ns': 'no room for',
};

const valueOf = (series, time) => series?.at(time) ?? 0;
const value = (port, name, time) => valueOf(port.series.get(name), time);

/** How a port is at a time; totals as what came in the window before it, rates over a time in which several frames fit. */
function look(port, time, from, longer = from, ratesFrom = from) {
  const seconds = Math.max(1e-9, time - from);
  const since = (name) => value(port, name, time) - value(port, name, ratesFrom);
  const wire = (side, word) => (since(`${side} bytes.${word}`) + FRAME_OVERHEAD_BYTES * since(`${side} frames.${word}`)) * 8
    / Math.max(1e-9, time - ratesFrom);
  const state = {
    sends: wire('out', 'transmitted'), gets: wire('in', 'received'), queue: value(port, 'out queue.bytes', time),
    // A counter comes with its first value that is not 0: of a port that was never up there is none.
    up: value(port, 'in device.up', time) === 1,
    stopped: 0, stops: 0, stopping: false, stoppingTimes: 0, held: 0, most: 0, xoff: 0, xon: 0, priority: -1,
    stoppingPriority: -1, tcd: 0, drops: 0, dropsNow: 0, tokens: 0,
  };
  for (const series of port.series.values()) {
    const { word, priority, isDrop } = series.kind;
    if (!isDrop && !word) continue;
    const now = valueOf(series, time);
    const change = now - valueOf(series, from);
    if (isDrop) {
      state.drops += now;
      state.dropsNow += change;
    } else if (word === 'buffer.bytes') state.held = Math.max(state.held, now);
    else if (word === 'tcd.state') state.tcd = Math.max(state.tcd, now);
    else if (word === 'stopped.now.ns' || word === 'stopped.ns' || word === 'stopped') {
      const share = word === 'stopped.now.ns' ? Math.min(1, series.lasting(time) / seconds)
        : word === 'stopped.ns' ? Math.min(1, change / 1e9 / seconds) : 0;
      if (word === 'stopped') state.stops += change;
      if (share > state.stopped || (word === 'stopped' && change > 0 && state.priority < 0)) state.priority = priority;
      state.stopped = Math.max(state.stopped, share);
    } else if (word === 'pfc.stopping.now.ns' || word === 'credits.full.now.ns') {
      if (now > 0) [state.stopping, state.stoppingPriority] = [true, priority];
    } else if (word === 'pfc.xoff.sent' && change > 0) {
      state.stoppingTimes += change;
      if (state.stoppingPriority < 0) state.stoppingPriority = priority;
    }
  }
  // A token is over in microseconds; it is shown long enough to be seen.
  state.tokens = value(port, 'out escape.sent', time) - value(port, 'out escape.sent', longer);
  for (const limit of port.thresholds) {
    if (limit.mostBytes > state.most) [state.most, state.xoff, state.xon] = [limit.mostBytes, limit.xoffBytes, limit.xonBytes];
  }
  // Headroom is often many times xoff: the bars would show nothing of what happens below xoff.
  state.full = state.xoff ? state.xoff / 0.7 : state.most;
  state.isStopped = state.stopped > 0 || state.stops > 0;
  state.isStopping = state.stopping || state.stoppingTimes > 0;
  // Frames are counted whole as they start: a short window may have one more than fits.
  state.share = port.rateBps ? Math.min(1, state.sends / port.rateBps) : 0;
  state.gotShare = port.rateBps ? Math.min(1, state.gets / port.rateBps) : 0;
  return state;
}

// ---- Where nodes stand --------------------------------------------------------------------------

const CELL = 66;
const CELL_HEIGHT = 84;
const HOST_STEPS = [120, 76]; // for few hosts, for many
const FEW_HOSTS = 8;
const ROW_GAPS = [130, 300]; // as the room on a screen allows
const MOST_IN_ROW = 24; // of a switch's ports to hosts; more are in several rows, one below the other
const HOST_GAP = 90; // between a port and its host within such rows
const FOLD = CELL_HEIGHT + HOST_GAP + 100; // from one such row to the next

/** Nodes and links from what each port knows of its far end; hosts below, switches above them. */
function layout(ports) {
  const nodes = new Map();
  const node = (name, isHost) => {
    if (!nodes.has(name)) nodes.set(name, { name, isHost, ports: [], peers: new Set(), level: -1 });
    return nodes.get(name);
  };
  for (const port of ports) node(port.node, false).ports.push(port);
  const byPort = new Map(ports.map((port) => [port.id, port]));
  const links = [];
  for (const port of ports) {
    const far = byPort.get(port.peer);
    port.far = far ?? null;
    port.peerNode = far ? far.node : port.peer.includes(':') ? port.peer.slice(0, port.peer.lastIndexOf(':')) : port.peer;
    if (!port.peerNode) continue;
    // Both ends name the link, if both know it.
    if (far && far.peer === port.id && far.number < port.number) continue;
    const other = node(port.peerNode, true);
    other.peers.add(port.node);
    nodes.get(port.node).peers.add(port.peerNode);
    links.push({ a: port, b: far, host: far ? null : other });
  }
  let next = [...nodes.values()].filter((one) => one.isHost);
  if (next.length === 0) next = [...nodes.values()];
  next.forEach((one) => { one.level = one.isHost ? 0 : 1; });
  while (next.length > 0) {
    const after = [];
    for (const one of next) {
      for (const peer of one.peers) {
        const other = nodes.get(peer);
        if (other.level < 0) {
          other.level = one.level + 1;
          after.push(other);
        }
      }
    }
    next = after;
  }
  const switches = [...nodes.values()].filter((one) => !one.isHost);
  switches.forEach((one) => { if (one.level < 1) one.level = 1; });
  return { nodes, links, switches, hosts: [...nodes.values()].filter((one) => one.isHost), byPort };
}

/** In how many rows the lower ports of a switch are: as many as make it no more than twice as wide as high. */
function folds(one, net) {
  const count = one.bottoms.length;
  if (count <= MOST_IN_ROW || one.bottoms.some((port) => port.peerNode && !net.nodes.get(port.peerNode).isHost)) return 1;
  let rows = 2;
  while (Math.ceil(count / rows) * one.step > 2 * (one.head + rows * FOLD)) rows++;
  return rows;
}

function place(net) {
  const hostStep = HOST_STEPS[net.hosts.length > FEW_HOSTS ? 1 : 0];
  const levels = Math.max(...net.switches.map((one) => one.level));
  const rows = Array.from({ length: levels + 1 }, (_, i) => net.switches.filter((one) => one.level === i));
  for (const one of net.switches) {
    const upper = (port) => port.peerNode && net.nodes.get(port.peerNode).level >= one.level;
    one.tops = one.ports.filter(upper);
    one.bottoms = one.ports.filter((port) => !upper(port));
    one.step = one.bottoms.some((port) => port.peerNode && net.nodes.get(port.peerNode).isHost) ? hostStep : CELL + 12;
    one.head = 36 + (one.tops.length ? CELL_HEIGHT + 6 : 0);
    one.folds = folds(one, net);
    one.inRow = Math.ceil(one.bottoms.length / one.folds);
    one.width = Math.max(one.inRow * one.step, one.tops.length * (CELL + 12), 11 * one.name.length + 30) + 16;
    one.height = one.head + (one.bottoms.length ? CELL_HEIGHT + 6 : 0) + (one.folds - 1) * FOLD;
  }
  const spread = (row) => {
    let x = 0;
    for (const one of row) {
      one.x = x + one.width / 2;
      x += one.width + 44;
    }
  };
  rows.forEach(spread);
  const settle = (row, wanted) => {
    row.sort((a, b) => wanted(a) - wanted(b));
    let least = -Infinity;
    const at = row.map(wanted);
    row.forEach((one, i) => {
      one.x = Math.max(at[i], least + one.width / 2);
      least = one.x + one.width / 2 + 44;
    });
    const off = row.reduce((sum, one, i) => sum + one.x - at[i], 0) / (row.length || 1);
    row.forEach((one) => { one.x -= off; });
  };
  for (let i = 2; i <= levels; i++) {
    settle(rows[i], (one) => {
      const below = [...one.peers].map((name) => net.nodes.get(name)).filter((peer) => peer.level < one.level && peer.x !== undefined);
      return below.length ? below.reduce((sum, peer) => sum + peer.x, 0) / below.length : one.x;
    });
  }
  const heights = rows.map((row) => Math.max(0, ...row.map((one) => one.height)));
  const width = Math.max(...net.switches.map((one) => one.x + one.width / 2)) - Math.min(...net.switches.map((one) => one.x - one.width / 2));
  const room = (width / 1.6 - heights.reduce((sum, height) => sum + height, 0)) / levels;
  const gap = Math.min(ROW_GAPS[1], Math.max(ROW_GAPS[0], room));
  let y = 0;
  for (let i = levels; i >= 1; i--) {
    rows[i].forEach((one) => { one.y = y + heights[i] / 2; });
    y += heights[i] + gap;
  }
  const hostY = y - Math.max(0, gap - 130);
  for (const one of net.switches) {
    // Of links to peers of the same row the nearer ones are inside, so that arcs do not cross.
    const order = (port) => {
      const peer = net.nodes.get(port.peerNode);
      const dx = peer.x - one.x;
      return peer.level > one.level ? dx : dx < 0 ? -1e7 - dx : 1e7 - dx;
    };
    one.tops.sort((a, b) => order(a) - order(b));
    if (one.level > 1) one.bottoms.sort((a, b) => (net.nodes.get(a.peerNode)?.x ?? 0) - (net.nodes.get(b.peerNode)?.x ?? 0));
    one.tops.forEach((port, i) => {
      port.x = one.x + (i - (one.tops.length - 1) / 2) * (CELL + 12);
      port.y = one.y - one.height / 2 + 6 + CELL_HEIGHT / 2;
      port.side = -1;
    });
    one.bottoms.forEach((port, i) => {
      const row = Math.floor(i / one.inRow);
      const inRow = Math.min(one.inRow, one.bottoms.length - row * one.inRow);
      port.x = one.x + (i % one.inRow - (inRow - 1) / 2) * one.step;
      port.y = one.y - one.height / 2 + one.head + row * FOLD + CELL_HEIGHT / 2;
      port.isFolded = one.folds > 1;
      port.side = 1;
    });
  }
  for (const host of net.hosts) {
    const own = net.links.filter((link) => link.host === host);
    host.x = own.reduce((sum, link) => sum + link.a.x, 0) / own.length;
    host.y = own.length === 1 && own[0].a.isFolded ? own[0].a.y + CELL_HEIGHT / 2 + HOST_GAP : hostY;
  }
  for (const link of net.links) {
    const from = { x: link.a.x, y: link.a.y + link.a.side * CELL_HEIGHT / 2 };
    const to = link.b ? { x: link.b.x, y: link.b.y + link.b.side * CELL_HEIGHT / 2 } : { x: link.host.x, y: link.host.y - 24 };
    const isArc = link.b && link.a.side < 0 && link.b.side < 0;
    const far = Math.abs(from.x - to.x);
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - (isArc ? 60 + far * 0.35 : 0) };
    link.curve = [from, middle, to];
  }
}

function along([a, c, b], share) {
  const rest = 1 - share;
  const mix = (k) => rest * rest * a[k] + 2 * rest * share * c[k] + share * share * b[k];
  const slope = (k) => 2 * rest * (c[k] - a[k]) + 2 * share * (b[k] - c[k]);
  return { x: mix('x'), y: mix('y'), angle: Math.atan2(slope('y'), slope('x')) * 180 / Math.PI };
}

/** A curve at some distance from another: one lane for each direction. */
function parallel(curve, distance) {
  const shift = (point, share) => {
    const angle = (along(curve, share).angle + 90) * Math.PI / 180;
    return { x: point.x + distance * Math.cos(angle), y: point.y + distance * Math.sin(angle) };
  };
  return [shift(curve[0], 0), shift(curve[1], 0.5), shift(curve[2], 1)];
}

const path = ([a, c, b]) => `M${a.x.toFixed(1)},${a.y.toFixed(1)} Q${c.x.toFixed(1)},${c.y.toFixed(1)} ${b.x.toFixed(1)},${b.y.toFixed(1)}`;

// ---- One network on the page --------------------------------------------------------------------

class Stage {
  constructor(index) {
    this.index = index;
    // Of a lab's recording there is one for each of the networks that ran one after the other.
    this.parts = [new History({ ports: [] })];
    this.history = this.parts[0];
    this.figure = html(byId('stages'), 'figure', '', 'stage');
    this.caption = html(this.figure, 'figcaption');
    this.caption.hidden = true;
    this.root = svg(this.figure, 'svg', { role: 'group', 'aria-label': 'network' });
    this.states = [];
    this.pauses = new Map();
    this.time = 0;
    this.moved = performance.now();
    this.spoken = 0;
    this.wanted = null; // what had the focus until the picture was made again
    this.isWide = false;
  }

  take(line) {
    const last = this.parts.at(-1);
    if (last.isOther(line)) {
      const next = new History(line.network);
      const goesOn = player && last.times.length > 0;
      this.parts = goesOn ? [...this.parts, next] : [next];
      if (!goesOn) this.show(next);
    }
    this.parts.at(-1).take(line);
  }

  get start() { return this.parts[0].start; }
  get end() { return this.parts.at(-1).end; }

  /** Draws another network than before. What is chosen stays so if it is there as well. */
  show(history) {
    if (this.history === history) return;
    this.history = history;
    this.build();
    if (chosen?.stage !== this) return;
    const port = history.ports.find((one) => one.id === chosen.port?.id);
    const node = this.net.nodes.get(chosen.node?.name);
    if (port) select({ stage: this, port });
    else if (node?.ports.length) select({ stage: this, node });
    else back();
  }

  name(title) {
    this.caption.hidden = !this.isNamed;
    say(this.caption, `${title} (${this.fileName})`);
  }

  build() {
    const { ports } = this.history;
    // Who goes by keyboard stays where they are, if that is there as well.
    const here = document.activeElement;
    if (this.root.contains(here)) this.wanted = here.dataset.id;
    this.root.replaceChildren();
    this.pauses.clear();
    this.cells = [];
    this.tiles = null;
    this.net = layout(ports);
    if (ports.length === 0) return;
    if (ports.length > MOST_PORTS) this.buildTiers(); else this.buildAll();
    arrange();
    this.refocus();
  }

  /** The place on the picture of what can be chosen: a port, a switch or a pause. */
  mark(id) { return this.root.querySelector(`[data-id="${CSS.escape(id)}"]`); }

  /** Gives the focus back to what had it, once that is drawn again: a pause later than ports. */
  refocus() {
    const mark = this.wanted && document.activeElement === document.body ? this.mark(this.wanted) : null;
    mark?.focus({ preventScroll: true });
  }

  buildAll() {
    const { net, root } = this;
    place(net);
    const lanes = svg(root, 'g');
    const boxes = svg(root, 'g');
    this.marks = svg(root, 'g');
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    const extend = (x, y, w, h) => {
      left = Math.min(left, x - w); right = Math.max(right, x + w);
      top = Math.min(top, y - h); bottom = Math.max(bottom, y + h);
    };
    for (const link of net.links) {
      // Traffic keeps to its right, as on a road.
      link.there = svg(lanes, 'path', { class: 'lane', d: path(parallel(link.curve, 5)) });
      link.back = svg(lanes, 'path', { class: 'lane', d: path(parallel(link.curve, -5)) });
      const middle = along(link.curve, 0.5);
      extend(middle.x, middle.y, 20, 20);
    }
    for (const one of net.switches) {
      const [x, y, width] = [one.x - one.width / 2, one.y - one.height / 2, one.width];
      // Of several rows of ports each has a box, and a bar on the left says that they are one switch.
      if (one.folds > 1) svg(boxes, 'rect', { class: 'box', x: x - 22, y, width: 22, height: one.height, rx: 6 });
      svg(boxes, 'rect', { class: 'box', x, y, width, height: one.height - (one.folds - 1) * FOLD, rx: 6 });
      for (let row = 1; row < one.folds; row++) {
        svg(boxes, 'rect', { class: 'box', x, y: y + one.head + row * FOLD - 6, width, height: CELL_HEIGHT + 12, rx: 6 });
      }
      const nameY = one.tops.length ? one.y - one.height / 2 + CELL_HEIGHT + 6 + 24 : one.y - one.height / 2 + 24;
      svg(boxes, 'text', { class: 'name', x: one.x, y: nameY }).textContent = one.name;
      extend(one.x, one.y, one.width / 2 + (one.folds > 1 ? 26 : 4), one.height / 2 + 4);
    }
    for (const host of net.hosts) {
      svg(boxes, 'circle', { class: 'host', cx: host.x, cy: host.y, r: 24 });
      svg(boxes, 'text', { class: 'hostname', x: host.x, y: host.y + 44 }).textContent = host.name;
      extend(host.x, host.y, 50, 50);
    }
    for (const port of this.history.ports) this.cells.push(this.cell(boxes, port));
    this.root.setAttribute('viewBox', `${left - 8} ${top - 8} ${right - left + 16} ${bottom - top + 16}`);
    this.isWide = right - left > 2 * (bottom - top);
  }

  cell(parent, port) {
    const g = svg(parent, 'g', { class: 'cell', role: 'button', tabindex: 0, 'data-port': port.number, 'data-id': port.id, transform: `translate(${port.x},${port.y})` });
    const [w, h] = [CELL, CELL_HEIGHT];
    svg(g, 'rect', { class: 'frame', x: -w / 2, y: -h / 2, width: w, height: h, rx: 4 });
    svg(g, 'text', { y: -h / 2 + 15 }).textContent = port.name;
    const bar = (x, kind) => {
      svg(g, 'rect', { class: 'trough', x, y: -h / 2 + 20, width: 16, height: 42 });
      return svg(g, 'rect', { class: kind, x, y: -h / 2 + 62, width: 16, height: 0 });
    };
    const parts = { g, queue: bar(-22, 'queue'), held: bar(6, 'held') };
    parts.xoff = svg(g, 'line', { class: 'xoff', x1: 4, x2: 24, visibility: 'hidden' });
    parts.xon = svg(g, 'line', { class: 'xon', x1: 4, x2: 24, visibility: 'hidden' });
    parts.tcd = svg(g, 'text', { class: 'tcd', y: -h / 2 + 46 });
    parts.share = svg(g, 'text', { class: 'share', y: h / 2 - 6 });
    svg(g, 'rect', { class: 'ring', x: -w / 2 - 3, y: -h / 2 - 3, width: w + 6, height: h + 6, rx: 6 });
    g.addEventListener('click', () => choose(this, { port }));
    return parts;
  }

  /** Draws the moment. */
  draw(time, window) {
    this.show(this.parts.findLast((one) => one.start <= time) ?? this.parts[0]);
    const { history } = this;
    if (history.times.length === 0) return;
    this.time = history.line(time);
    this.from = history.line(this.time - window);
    const longer = history.line(this.time - 3 * window);
    const ratesFrom = history.line(this.time - Math.max(window, history.rateSeconds));
    this.states = history.ports.map((port) => look(port, this.time, this.from, longer, ratesFrom));
    const deadlock = history.deadlock(this.time);
    this.deadlock = deadlock;
    const cycle = new Set(deadlock?.cycle.map((word) => word.split(' ')[0]) ?? []);
    if (this.tiles) this.drawTiers(); else this.drawAll(cycle);
    this.refocus();
    this.wanted = null;
    // Names for those who do not see it; less often, as each costs the browser work.
    const isSpoken = performance.now() - this.spoken > 1000;
    if (isSpoken) {
      this.spoken = performance.now();
      for (const cell of this.root.querySelectorAll('.cell')) set(cell, 'aria-label', this.describe(Number(cell.dataset.port)));
    }
  }

  describe(number) {
    const port = this.history.ports[number];
    const state = this.states[number];
    return `${port.id.replace(':', ' ')}${port.peer ? ` to ${port.peer}` : ''}: sends ${rate(state.sends)}, receives ${rate(state.gets)}, queue ${bytes(state.queue)}`
      + (state.isStopped ? `, stopped ${percent(state.stopped)} of the time` : '') + (state.drops ? `, ${state.drops} frames dropped` : '');
  }

  drawAll(cycle) {
    const { ports } = this.history;
    ports.forEach((port, i) => {
      const state = this.states[i];
      const parts = this.cells[i];
      set(parts.g, 'class', `cell${state.isStopped ? ' stopped' : ''}${state.up ? '' : ' down'}${isChosen(this, port) ? ' chosen' : ''}${behind.has(port.id) && chosen?.stage === this ? ' behind' : ''}`);
      const fill = (rect, share) => {
        const height = 42 * Math.min(1, share);
        set(rect, 'height', height.toFixed(1));
        set(rect, 'y', (-CELL_HEIGHT / 2 + 62 - height).toFixed(1));
      };
      // In a lossless network a queue can hold what all other ports may hold.
      const room = this.net.nodes.get(port.node).ports.reduce((sum, other) => sum + (other === port ? 0 : this.states[other.number].full), 0);
      const most = Math.min(room || Infinity, port.limitBytes || Infinity);
      fill(parts.queue, state.queue / most);
      fill(parts.held, state.full ? state.held / state.full : 0);
      for (const key of ['xoff', 'xon']) {
        set(parts[key], 'visibility', state[key] ? 'visible' : 'hidden');
        const at = -CELL_HEIGHT / 2 + 62 - 42 * (state.full ? state[key] / state.full : 0);
        set(parts[key], 'y1', at.toFixed(1));
        set(parts[key], 'y2', at.toFixed(1));
      }
      say(parts.tcd, TCD_STATES[state.tcd] ?? '');
      set(parts.share, 'class', state.isStopped || state.dropsNow ? 'trouble' : 'share');
      say(parts.share, !state.up ? 'down' : state.dropsNow ? 'drops' : state.isStopped ? `‖${percent(state.stopped)}` : port.rateBps ? percent(state.share) : rate(state.sends));
    });
    const live = new Set();
    for (const link of this.net.links) {
      const a = this.states[link.a.number];
      const b = link.b ? this.states[link.b.number] : null;
      // Who waits: the switch's own port, or the host that a port stops.
      const aWaits = a.isStopped || Boolean(b?.isStopping);
      const bWaits = b ? b.isStopped || a.isStopping : a.isStopping;
      const isRed = (from, to) => cycle.has(from?.id) && cycle.size > 0 && (!to || this.net.nodes.has(to.node));
      this.lane(link.there, a.share, aWaits && a.stopped > 0.5, isRed(link.a, link.b));
      this.lane(link.back, b ? b.share : a.gotShare, bWaits && (b ? b.stopped > 0.5 : a.stopping), link.b ? isRed(link.b, link.a) : false);
      if (aWaits) {
        live.add(this.pause(link, false, {
          stopped: link.a, by: link.b, priority: a.priority >= 0 ? a.priority : b.stoppingPriority, times: Math.max(a.stops, b?.stoppingTimes ?? 0), lasts: a.stopped,
        }));
      }
      if (bWaits) {
        live.add(this.pause(link, true, b
          ? { stopped: link.b, by: link.a, priority: b.priority >= 0 ? b.priority : a.stoppingPriority, times: Math.max(b.stops, a.stoppingTimes), lasts: b.stopped }
          : { host: link.host.name, by: link.a, priority: a.stoppingPriority, times: a.stoppingTimes, lasts: a.stopping ? 1 : 0 }));
      }
      if (a.tokens > 0) live.add(this.token(link, true));
      if (b?.tokens > 0) live.add(this.token(link, false));
    }
    for (const [key, mark] of this.pauses) {
      // What has the focus stays until that goes on: a press of Enter must not find it gone.
      const isOver = !live.has(key);
      if (isOver && mark.g !== document.activeElement) {
        mark.g.remove();
        this.pauses.delete(key);
      } else mark.g.classList.toggle('over', isOver);
    }
  }

  lane(element, share, isStopped, isDeadlock) {
    set(element, 'class', `lane ${level(share)}${isStopped ? ' stopped' : ''}${isDeadlock ? ' deadlock' : ''}`);
    set(element, 'stroke-width', (2.5 + 4.5 * Math.min(1, share)).toFixed(1));
  }

  /** An arrow from who stops to who waits: against the traffic. */
  pause(link, towardsB, what) {
    const key = `${link.a.id} ${towardsB}`;
    let mark = this.pauses.get(key);
    if (!mark) {
      const g = svg(this.marks, 'g', { class: 'pause', role: 'button', tabindex: 0, 'data-id': key });
      svg(g, 'line', { x1: -34, y1: 0, x2: -10, y2: 0 });
      svg(g, 'path', { d: 'M20,0 L-12,-15 L-12,15 Z' });
      svg(g, 'rect', { class: 'ring', x: -38, y: -19, width: 62, height: 38, rx: 6 });
      // It travels on the lane of the traffic that it stops.
      const lane = parallel(link.curve, towardsB ? -5 : 5);
      mark = { g, curve: towardsB ? lane : [...lane].reverse(), start: performance.now() };
      g.addEventListener('click', () => choose(this, { pause: mark.what }));
      this.pauses.set(key, mark);
    }
    mark.what = { ...what, key };
    set(mark.g, 'aria-label', `${pauseTitle(what)}, priority ${what.priority}`);
    return key;
  }

  token(link, towardsB) {
    const key = `${link.a.id} token ${towardsB}`;
    if (!this.pauses.has(key)) {
      const g = svg(this.marks, 'g', { class: 'token' });
      svg(g, 'path', { d: 'M-8,0 L0,-8 L8,0 L0,8 Z' });
      const lane = parallel(link.curve, towardsB ? 14 : -14);
      this.pauses.set(key, { g, curve: towardsB ? lane : [...lane].reverse(), start: performance.now() });
    }
    return key;
  }

  /** Moves arrows and tokens on. */
  move(now) {
    const passed = now - this.moved;
    this.moved = now;
    for (const mark of this.pauses.values()) {
      // What is about to be chosen stands still.
      if (mark.g.matches(':hover, :focus')) mark.start += passed;
      const share = still.matches ? 0.55 : ((now - mark.start) / 1600) % 1;
      const at = along(mark.curve, 0.12 + 0.76 * share);
      set(mark.g, 'transform', `translate(${at.x.toFixed(1)},${at.y.toFixed(1)}) rotate(${at.angle.toFixed(1)})`);
    }
  }

  // Many switches: a tile for each, in a row or more for each tier.
  buildTiers() {
    const { net, root } = this;
    this.isWide = false;
    this.tiles = [];
    this.bands = [];
    const levels = Math.max(...net.switches.map((one) => one.level));
    const columns = 40;
    const [size, gap] = [30, 6];
    let y = 0;
    for (let tier = levels; tier >= 1; tier--) {
      const row = net.switches.filter((one) => one.level === tier);
      svg(root, 'text', { class: 'tier', x: 0, y: y + 30 }).textContent = `tier ${tier}: ${row.length} switches`;
      const words = svg(root, 'text', { class: 'tiersay', x: 400, y: y + 30 });
      y += 44;
      row.forEach((one, i) => {
        const g = svg(root, 'g', { class: 'tile', role: 'button', tabindex: 0, 'data-id': one.name, transform: `translate(${(i % columns) * (size + gap)},${y + Math.floor(i / columns) * (size + gap)})` });
        svg(g, 'rect', { class: 'fill', width: size, height: size, rx: 4 });
        svg(g, 'rect', { class: 'ring', x: -3, y: -3, width: size + 6, height: size + 6, rx: 5 });
        svg(g, 'title').textContent = one.name;
        g.addEventListener('click', () => choose(this, { node: one }));
        this.tiles.push({ g, one });
      });
      y += Math.ceil(row.length / columns) * (size + gap) + 6;
      const band = svg(root, 'rect', { class: 'band', x: 0, y, width: columns * (size + gap) - gap, height: 50, rx: 6 });
      const text = svg(root, 'text', { class: 'tiersay', x: 12, y: y + 35 });
      this.bands.push({ band, text, words, row, tier });
      y += 72;
    }
    svg(root, 'text', { class: 'tier', x: 0, y: y + 16 }).textContent = `${net.hosts.length} hosts`;
    root.setAttribute('viewBox', `-10 -6 ${columns * (size + gap) + 20} ${y + 36}`);
  }

  drawTiers() {
    for (const { g, one } of this.tiles) {
      const states = one.ports.map((port) => this.states[port.number]);
      const share = Math.max(...states.map((state) => state.share));
      const isStopped = states.some((state) => state.isStopped);
      set(g, 'class', `tile ${level(share)}${isStopped ? ' stopped' : ''}${chosen?.node === one ? ' chosen' : ''}`);
      set(g, 'aria-label', `${one.name}: busiest port ${percent(share)}${isStopped ? ', some stopped' : ''}`);
    }
    for (const { band, text, words, row, tier } of this.bands) {
      let [sum, most, count, up, down, stopped, drops] = [0, 0, 0, 0, 0, 0, 0];
      for (const one of row) {
        for (const port of one.ports) {
          const state = this.states[port.number];
          if (state.isStopped) stopped++;
          drops += state.drops;
          const peer = this.net.nodes.get(port.peerNode);
          if (!peer || peer.level >= tier) continue;
          const far = port.far ? this.states[port.far.number] : null;
          count++;
          sum += Math.max(state.share, far ? far.share : state.gotShare);
          most = Math.max(most, state.share, far ? far.share : state.gotShare);
          if (state.isStopped || far?.isStopping) down++;
          if (far?.isStopped || state.isStopping) up++;
        }
      }
      set(band, 'class', `band ${level(count ? sum / count : 0)}`);
      say(text, `${count} links below: mean use ${percent(count ? sum / count : 0)}, busiest ${percent(most)}; stopped: ${down} downwards, ${up} upwards`);
      set(text, 'class', `tiersay${up + down ? ' bad' : ''}`);
      say(words, (stopped ? `${stopped} ports stopped` : '') + (drops ? `${stopped ? ', ' : ''}${drops} frames dropped` : ''));
      set(words, 'class', `tiersay${stopped || drops ? ' bad' : ''}`);
    }
  }
}

// ---- What is chosen -----------------------------------------------------------------------------

let chosen = null;
let behind = new Set(); // ports on the way to a pause's root
const detail = byId('detail');

const isChosen = (stage, port) => chosen?.stage === stage && chosen.port === port;
const pauseTitle = (what) => `${what.by?.id ?? what.stopped?.peer ?? '?'} stops ${what.host ?? what.stopped.id}`;

function choose(stage, what) {
  select({ stage, ...what });
  detail.focus({ preventScroll: true });
  draw();
}

function select(what) {
  chosen = what;
  behind = new Set();
  detail.replaceChildren();
  if (what.port) showPort();
  else if (what.node) showNode();
  else showPause();
  slow = -Infinity;
}

function back() {
  // The keyboard goes on where it was.
  if (detail.contains(document.activeElement)) chosen?.stage.mark(chosen.port?.id ?? chosen.node?.name ?? chosen.pause.key)?.focus({ preventScroll: true });
  chosen = null;
  behind = new Set();
  detail.replaceChildren();
  html(detail, 'h2', 'Choose a port or a pause');
  html(detail, 'p', 'A port shows its queue, rates and pauses; a red arrow, who is behind the pause.', 'soft');
}

function showNode() {
  const { node, stage } = chosen;
  html(detail, 'h2', node.name);
  const table = html(detail, 'table');
  for (const port of node.ports) {
    const row = html(table, 'tr');
    const name = html(html(row, 'td'), 'button', port.name);
    name.addEventListener('click', () => choose(stage, { port }));
    html(row, 'td', port.peer);
    html(row, 'td');
  }
  chosen.table = table;
}

function refreshNode() {
  const { node, stage, table } = chosen;
  node.ports.forEach((port, i) => {
    const state = stage.states[port.number];
    say(table.rows[i].cells[2], `${rate(state.sends)}${state.isStopped ? `, ‖ ${percent(state.stopped)}` : ''}${state.drops ? `, ${state.drops} dropped` : ''}`);
  });
}

function showPort() {
  const { port, stage } = chosen;
  html(detail, 'h2', `${port.id}${port.peer ? ` ↔ ${port.peer}` : ''}`);
  if (stage.isNamed) html(detail, 'p', stage.fileName, 'soft');
  const chart = (words) => {
    const title = html(detail, 'h3');
    for (const [text, key] of words) html(title, 'span', text, `key ${key}`);
    return svg(detail, 'svg', { class: 'chart', viewBox: '0 0 380 84', role: 'img', 'aria-label': words.map(([text]) => text).join('') });
  };
  chosen.charts = [
    chart([['sent', 'a'], [' and ', ''], ['received', 'b']]),
    chart([['queue', 'a'], [' and ', ''], ['held from the far end', 'b']]),
    chart([['share of time stopped', 'c']]),
  ];
  chosen.table = html(detail, 'table');
}

/** One value of each of the slices of the time shown. */
function slices(history, time, slice) {
  const start = player ? history.start : Math.max(history.start, time - 60);
  const end = player ? history.end : time;
  const count = 150;
  const points = [];
  for (let i = 1; i <= count; i++) {
    const to = start + (end - start) * i / count;
    const from = start + (end - start) * (i - 1) / count;
    points.push(slice(history.line(from), Math.max(history.line(to), history.line(from))));
  }
  return { start, end, points };
}

function plot(chart, { start, end, curves, limits, unit, least, top, area }) {
  const most = top ?? Math.max(least, ...curves.flat(), ...limits.map(([v]) => v)) * 1.3;
  const x = (i, count) => 4 + 372 * i / Math.max(1, count - 1);
  const y = (v) => 66 - 58 * v / most;
  chart.replaceChildren();
  svg(chart, 'path', { class: 'axis', d: 'M4,8 V66 H376' });
  for (const [at, name] of limits) {
    svg(chart, 'line', { class: 'limit', x1: 4, x2: 376, y1: y(at), y2: y(at) });
    svg(chart, 'text', { x: name === 'xon' ? 338 : 372, y: y(at) - 2, 'text-anchor': 'end' }).textContent = name;
  }
  curves.forEach((curve, k) => {
    const line = curve.map((v, i) => `${i ? 'L' : 'M'}${x(i, curve.length).toFixed(1)},${y(v).toFixed(1)}`).join('');
    svg(chart, 'path', area ? { class: 'area', d: `${line}L376,66L4,66Z` } : { class: 'ab'[k], d: line });
  });
  svg(chart, 'text', { x: 8, y: 14 }).textContent = unit(most);
  svg(chart, 'text', { x: 4, y: 80 }).textContent = player ? duration(start) : `${(end - start).toFixed(0)} s ago`;
  svg(chart, 'text', { x: 376, y: 80, 'text-anchor': 'end' }).textContent = player ? duration(end) : 'now';
  if (player) {
    const at = 4 + 372 * (chosen.stage.time - start) / Math.max(1e-12, end - start);
    svg(chart, 'line', { class: 'cursor', x1: at, x2: at, y1: 6, y2: 66 });
  }
}

function refreshPort() {
  const { stage, port, charts } = chosen;
  const { history, time } = stage;
  const state = stage.states[port.number];
  let past = [];
  const range = slices(history, time, (from, to) => {
    past.push(look(port, to, from < to ? from : history.line(from - 1e-9)));
    return 0;
  });
  // An empty slice repeats the one before: lines come less often than there are slices.
  past = past.map((one, i) => (Number.isFinite(one.sends) ? one : past[i - 1] ?? one));
  const common = { start: range.start, end: range.end, limits: [] };
  plot(charts[0], { ...common, curves: [past.map((p) => p.sends), past.map((p) => p.gets)], unit: rate, least: 1, limits: port.rateBps ? [[port.rateBps, 'link']] : [] });
  plot(charts[1], { ...common, curves: [past.map((p) => p.queue), past.map((p) => p.held)], unit: bytes, least: 1000, limits: state.xoff ? [[state.xoff, 'xoff'], [state.xon, 'xon']] : [] });
  plot(charts[2], { ...common, curves: [past.map((p) => p.stopped)], unit: percent, top: 1, area: true });
  const rows = [
    ['sends', rate(state.sends)], ['receives', rate(state.gets)], ['queue', bytes(state.queue)],
  ];
  for (const limit of port.thresholds) {
    const held = value(port, `in buffer.bytes.p${limit.priority}`, time);
    rows.push([`held, priority ${limit.priority}`, `${bytes(held)}${limit.xoffBytes ? ` of xoff ${bytes(limit.xoffBytes)}` : ` of ${bytes(limit.mostBytes)}`}`]);
  }
  for (const name of [...port.series.keys()].sort()) {
    const now = value(port, name, time);
    const label = name.replace(/^(in|out) /, '');
    const p = label.match(/^(.*)\.p([0-7])$/);
    const words = p ? `${WORDS[p[1]] ?? p[1]}, priority ${p[2]}` : label;
    if (label.startsWith('drop.')) rows.push([`dropped ${name.startsWith('in') ? 'in' : 'out'}: ${label.slice(5)}`, `${now} frames`]);
    else if (p?.[1] === 'tcd.state') rows.push([`TCD, priority ${p[2]}`, TCD_WORDS[now] ?? now]);
    else if (p?.[1] === 'rocc.rate') rows.push([`fair rate (RoCC), priority ${p[2]}`, rate(now * 1e3)]);
    else if (p?.[1].endsWith('.ns')) { if (now) rows.push([words, duration(p[1].includes('.now') ? port.series.get(name).lasting(time) : now / 1e9)]); }
    else if (!/^(bytes|frames|queue|device|buffer)\./.test(label) && now) rows.push([words, now]);
  }
  const { table } = chosen;
  while (table.rows.length > rows.length) table.deleteRow(-1);
  rows.forEach(([name, text], i) => {
    const row = table.rows[i] ?? table.insertRow();
    say(row.cells[0] ?? row.insertCell(), name);
    say(row.cells[1] ?? row.insertCell(), String(text));
  });
}

async function showPause() {
  const { stage, pause } = chosen;
  const mine = chosen;
  html(detail, 'h2', pauseTitle(pause));
  const times = pause.times ? `, ${pause.times}× in the last ${duration(Math.max(0.1, stage.time - stage.from))}` : '';
  html(detail, 'p', `priority ${pause.priority}${times}`, 'soft');
  const why = html(detail, 'div', 'asking…');
  if (player) {
    say(why, 'Who is behind it is known of switches that run: this is a recording.');
    return;
  }
  const at = pause.host ? pause.by.id : pause.stopped.id;
  try {
    const response = await fetch(address('explain', { at, priority: pause.priority, ...(pause.host ? { pausing: 1 } : {}) }));
    const text = await response.text();
    if (chosen !== mine) return;
    why.replaceChildren();
    if (!response.ok) {
      html(why, 'p', text);
      return;
    }
    const answer = JSON.parse(text);
    behind = new Set(answer.ports);
    html(why, 'p', answer.says, 'root');
    const list = html(why, 'ol');
    for (const step of answer.steps) html(list, 'li', step);
    const again = html(why, 'button', 'Ask again');
    again.addEventListener('click', () => choose(stage, { pause }));
  } catch {
    if (chosen === mine) say(why, 'The switch does not answer.');
  }
}

function refreshDetail() {
  if (!chosen) return;
  if (chosen.port) refreshPort();
  else if (chosen.node) refreshNode();
}

function refreshDrops() {
  const list = byId('drops');
  const sums = new Map();
  for (const stage of stages) {
    for (const port of stage.history.ports) {
      for (const [name, series] of port.series) {
        if (!series.kind.isDrop) continue;
        const reason = name.slice(name.indexOf('drop.') + 5);
        const sum = sums.get(reason) ?? { frames: 0, at: new Set() };
        const frames = valueOf(series, stage.time);
        if (!frames) continue;
        sum.frames += frames;
        sum.at.add(port.id);
        sums.set(reason, sum);
      }
    }
  }
  const key = JSON.stringify([...sums].map(([reason, { frames }]) => [reason, frames]));
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren();
  html(list, 'h3', sums.size ? 'Drops, by reason' : 'No drops');
  const table = html(list, 'table');
  for (const [reason, { frames, at }] of [...sums].sort((a, b) => b[1].frames - a[1].frames)) {
    const row = html(table, 'tr');
    html(row, 'td', `${reason} at ${[...at].slice(0, 3).join(', ')}${at.size > 3 ? ', …' : ''}`);
    html(row, 'td', String(frames));
  }
}

// ---- Time goes on -------------------------------------------------------------------------------

const stages = [];
let player = null;
let slow = -Infinity; // when details were drawn last, which is not done with each picture
let drawn = 0; // when, the last time
let drawMs = 0; // how long that took
let taken = 0; // when the last line was done with
let isDue = false; // lines have come that are not drawn

/** Details are below a network that needs the width; of two that do, one is above the other. */
function arrange() {
  const areWide = stages.every((stage) => stage.isWide);
  document.body.classList.toggle('wide', stages.length === 1 && areWide);
  byId('stages').classList.toggle('stacked', stages.length > 1 && areWide);
}

function draw() {
  const start = performance.now();
  for (const stage of stages) stage.draw(player ? player.time : stage.end, player ? player.window(stage) : WINDOW_S);
  const stuck = stages.filter((stage) => stage.deadlock);
  byId('alarm').hidden = stuck.length === 0;
  say(byId('alarm'), stuck.map((stage) => (stage.isNamed ? `${stage.fileName}: ` : '') + stage.deadlock.says).join(' '));
  const now = performance.now();
  if (now - slow > 250) {
    slow = now;
    refreshDetail();
    refreshDrops();
  }
  drawn = performance.now();
  drawMs = drawn - start;
  isDue = false;
}

/**
 * Draws a line that has just come. Where the browser got no time, many come at once: with a picture
 * for each, keys would wait for all of them.
 */
function drawLine() {
  if (performance.now() - taken > TOGETHER_MS) draw(); else isDue = true;
  taken = performance.now();
}

function animate(now) {
  player?.tick(now);
  // At most half of the time goes into pictures.
  if (isDue && performance.now() - drawn >= drawMs) draw();
  for (const stage of stages) stage.move(now);
  requestAnimationFrame(animate);
}

function state(text, isBad = false) {
  say(byId('state'), text);
  byId('state').className = isBad ? 'bad' : '';
}

/** Goes through recordings: where in them, how fast, and where what is worth seeing begins. */
class Player {
  constructor() {
    this.time = 0;
    this.isPlaying = true;
    this.speed = 0; // recorded seconds for one of ours; 0: not chosen yet
    this.last = performance.now();
    this.left = 0;
    this.isChosen = false; // the speed, by hand
  }

  get start() { return Math.min(...stages.map((stage) => stage.start)); }
  get end() { return Math.max(...stages.map((stage) => stage.end)); }

  /** A few lines: what is between two of them is not known. */
  window(stage) {
    const { times } = stage.history;
    return times.length < 2 ? 1 : 3.5 * (times.at(-1) - times[0]) / (times.length - 1);
  }

  tick(now) {
    // Reading goes before drawing.
    if (this.left > 0 && now - this.last < Math.max(READING_DRAW_MS, 10 * drawMs)) return;
    const seconds = Math.min(0.2, (now - this.last) / 1000);
    this.last = now;
    // How long it is shows only when all has been read.
    if (this.speed === 0 || (this.left > 0 && !this.isChosen)) this.speed = this.natural();
    if (this.isPlaying && this.end > this.time) {
      this.go(this.time + seconds * this.speed);
      if (this.time >= this.end && this.left === 0) this.pause();
    }
  }

  /** The whole of it in half a minute; one that took as long as that, as fast as it was. */
  natural() {
    const whole = this.end - this.start;
    return whole === 0 ? 0 : whole > 5 ? 1 : 10 ** Math.round(Math.log10(whole / 30));
  }

  go(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    byId('time').value = Math.round(10000 * (this.time - this.start) / Math.max(1e-12, this.end - this.start));
    say(byId('clock'), `${precise(this.time)} of ${precise(this.end)}`);
    // While it stands, no later picture brings details and drops up to date.
    if (!this.isPlaying) slow = -Infinity;
    draw();
  }

  /** What was left out while pictures followed one another, such as details, is shown now. */
  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.show();
    slow = -Infinity;
    draw();
  }

  /** Of a paused recording nothing else says that more is known of what is shown. */
  refresh() {
    if (!this.isChosen) this.speed = this.natural();
    this.show();
    this.go(this.time);
  }

  toggle() {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.time >= this.end) this.time = this.start;
    this.isPlaying = true;
    this.show();
  }

  show() {
    say(byId('play'), this.isPlaying ? 'Pause' : 'Play');
    say(byId('speed'), this.speed ? `${duration(this.speed)} in 1 s` : '');
    byId('toPause').disabled = this.first('pause') === null;
    byId('toDrop').disabled = this.first('drop') === null;
    byId('toDeadlock').disabled = this.first('deadlock') === null;
  }

  faster(factor) {
    this.isChosen = true;
    this.speed *= factor;
    this.show();
  }

  /** The next or last of the recorded moments. */
  step(by) {
    this.pause();
    const times = [...new Set(stages.flatMap((stage) => stage.parts.flatMap((part) => part.times)))].sort((a, b) => a - b);
    const here = times.findLastIndex((time) => time <= this.time);
    this.go(times[Math.min(times.length - 1, Math.max(0, here + by))] ?? 0);
  }

  /** The first moment of what is looked for; null if there is none. */
  first(what) {
    const found = stages.flatMap((stage) => stage.parts.map((part) => part.firsts[what]));
    const known = found.filter((time) => time !== undefined);
    return known.length ? Math.min(...known) : null;
  }

  jump(what) {
    const time = this.first(what);
    if (time === null) return;
    this.pause();
    this.go(time);
  }
}

/** With enough digits to tell moments of a run apart. */
function precise(seconds) {
  if (player.end >= 1) return `${seconds.toFixed(2)} s`;
  return player.end >= 1e-3 ? `${(seconds * 1e3).toFixed(3)} ms` : `${(seconds * 1e6).toFixed(2)} µs`;
}

/** Reads a recording, to its last line, while it may be still being written. */
async function readRecording(number, stage) {
  let response = await fetch(address(`recording/${number}`));
  while (response.status === 404) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    response = await fetch(address(`recording/${number}`));
  }
  let isOver = false;
  const watched = new TransformStream({ flush() { isOver = true; } });
  const reader = response.body.pipeThrough(watched).pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let yielded = 0;
  while (true) {
    const { value: text, done } = await reader.read().catch((failure) => {
      if (!isOver) throw failure;
      return { done: true };
    });
    const lines = (rest + (text ?? '')).split('\n');
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      if (line.end) {
        reader.cancel();
        return;
      }
      stage.take(line);
      if (line.network) {
        stage.name(line.network.title);
        // The first picture does not wait for the rest.
        player.refresh();
      }
    }
    player.show();
    // Of what has arrived, the browser reads on without drawing and without a look at keys.
    if (performance.now() - yielded > READING_SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      yielded = performance.now();
    }
    if (done) throw new Error('it ends early, and nothing was added for some seconds; reload to look again');
  }
}

function goPlay(names) {
  player = new Player();
  byId('player').hidden = false;
  say(byId('keys'), 'Space: play · , .: step · + −: speed · p d l: first pause, first drop, deadlock · Tab, arrows, Enter, Esc: details');
  player.left = names.length;
  say(byId('title'), names.join(' and '));
  document.title = `${names.join(', ')} – Headgate`;
  state('reading…');
  names.forEach((name, number) => {
    const stage = new Stage(number);
    stage.isNamed = names.length > 1;
    stage.fileName = name;
    stages.push(stage);
    readRecording(number, stage).catch((failure) => state(`${name}: ${failure.message}`, true)).then(() => {
      player.left--;
      if (player.left === 0 && byId('state').className !== 'bad') state('recording');
      player.refresh();
    });
  });
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('back', () => player.step(-1));
  on('on', () => player.step(1));
  on('play', () => player.toggle());
  on('slower', () => player.faster(0.5));
  on('faster', () => player.faster(2));
  on('toPause', () => player.jump('pause'));
  on('toDrop', () => player.jump('drop'));
  on('toDeadlock', () => player.jump('deadlock'));
  byId('time').addEventListener('input', (event) => {
    player.pause();
    player.go(player.start + (player.end - player.start) * event.target.value / 10000);
  });
}

function goLive() {
  const stage = new Stage(0);
  stages.push(stage);
  const feed = new EventSource(address('live'));
  feed.onmessage = (event) => {
    const line = JSON.parse(event.data);
    stage.take(line);
    if (line.network) {
      say(byId('title'), line.network.title);
      document.title = `${line.network.title} – Headgate`;
    }
    state(stage.history.ports.length ? 'live' : 'live; no switch runs now');
    say(byId('clock'), `${stage.end.toFixed(1)} s`);
    stage.history.forget(stage.end - KEPT_S);
    drawLine();
  };
  feed.onerror = async () => {
    state('not connected; what is shown is old', true);
    // Refused, for what was started anew has another address.
    const again = feed.readyState === EventSource.CLOSED && await fetch(address('about')).catch(() => null);
    if (again && !again.ok) state(await again.text(), true);
  };
}

// ---- Keys ---------------------------------------------------------------------------------------

function step(by) {
  const all = [...document.querySelectorAll('svg [role=button]')];
  const at = all.indexOf(document.activeElement);
  all.at((at + by + all.length) % all.length)?.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isHere = event.target.getAttribute?.('role') === 'button';
  const isText = event.target.matches?.('input, button');
  if (isHere && (event.key === 'Enter' || event.key === ' ')) event.target.dispatchEvent(new Event('click'));
  else if (event.key === 'Escape') back();
  else if (['ArrowRight', 'ArrowDown'].includes(event.key) && (isHere || event.target === document.body)) step(1);
  else if (['ArrowLeft', 'ArrowUp'].includes(event.key) && (isHere || event.target === document.body)) step(-1);
  else if (player && !isText && event.key === ' ') player.toggle();
  else if (player && event.key === '.') player.step(1);
  else if (player && event.key === ',') player.step(-1);
  else if (player && event.key === '+') player.faster(2);
  else if (player && event.key === '-') player.faster(0.5);
  else if (player && event.key === 'p') player.jump('pause');
  else if (player && event.key === 'd') player.jump('drop');
  else if (player && event.key === 'l') player.jump('deadlock');
  else return;
  event.preventDefault();
});

// For a look from the browser's console.
window.headgate = { stages, value, get player() { return player; } };

back();
requestAnimationFrame(animate);
const answer = await fetch(address('about'));
if (answer.ok) {
  const about = await answer.json();
  if (about.live) goLive(); else goPlay(about.recordings);
} else state(await answer.text(), true);
