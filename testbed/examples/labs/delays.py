"""How late frames are and how many are lost, compared with what a link's file says.

    delays.py ping HOST COUNT [--delay MS --jitter MS] [--loss PERCENT]   round trips, one behind the other
    delays.py send HOST PORT COUNT MS                                     numbered datagrams, one in MS
    delays.py take PORT COUNT [--delay MS --jitter MS] [--loss PERCENT]   their ways, by one machine's clock

It ends with 1 if the median is more than --within (0.3) ms from delay and half the jitter, if the file's
loss is outside the interval in which 999 of 1000 runs would be, or if anything came out of order.
"""
import argparse, math, re, socket, struct, subprocess, sys, time

SILENCE_S = 3


def ping(host, count):
    """Numbers and times of the replies, in ms, in the order in which they came."""
    said = subprocess.run(['ping', '-n', '-c', str(count), '-i', '0.0025', '-W', '1', host],
                          capture_output=True, text=True).stdout
    return [(int(number), float(ms)) for number, ms in re.findall(r'icmp_seq=(\d+) .*time=([0-9.]+)', said)]


def send(host, port, count, every_ms):
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    due = time.monotonic_ns()
    for number in range(1, count + 1):
        while (wait := due - time.monotonic_ns()) > 0:
            time.sleep(wait / 1e9)
        out.sendto(struct.pack('!QQ', number, time.monotonic_ns()) + bytes(48), (host, port))
        due += int(every_ms * 1e6)


def take(port, count):
    """Numbers and times under way, in ms; some seconds without any are the end."""
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    own.bind(('', port))
    came = []
    while len(came) < count:
        own.settimeout(SILENCE_S if came else None)
        try:
            data = own.recv(100)
        except TimeoutError:
            break
        number, sent = struct.unpack_from('!QQ', data)
        came.append((number, (time.monotonic_ns() - sent) / 1e6))
    return came


def interval(lost, count, z):
    """Of a share that was seen lost times of count (Wilson)."""
    share, scale = lost / count, 1 + z * z / count
    middle = (share + z * z / 2 / count) / scale
    half = z / scale * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count)
    return 100 * (middle - half), 100 * (middle + half)


def judge(what, came, count, a):
    numbers, times = [n for n, _ in came], sorted(t for _, t in came)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    lost, late = count - len(set(numbers)), sum(x > y for x, y in zip(numbers, numbers[1:]))
    low, high = interval(lost, count, 1.96)
    print(f'{what}: {count} sent, {lost} lost ({100 * lost / count:.2f} %, 95 % interval {low:.2f} to {high:.2f}),'
          f' {late} out of order, {len(numbers) - len(set(numbers))} twice')
    print(f'  ms: mean {sum(times) / len(times):.3f}, least {times[0]:.3f}, p1 {at(.01):.3f}, p10 {at(.1):.3f},'
          f' p50 {at(.5):.3f}, p90 {at(.9):.3f}, p99 {at(.99):.3f}, most {times[-1]:.3f}')
    wrong = ['out of order'] if late else []
    if a.delay is not None:
        print('  the file: ' + ', '.join(f'p{round(100 * s)} {a.delay + s * a.jitter:.2f}' for s in (.01, .1, .5, .9, .99)))
        far = at(.5) - a.delay - a.jitter / 2
        print(f'  the median is {far:+.3f} ms from it')
        wrong += [f'median {far:+.3f} ms off'] if abs(far) > a.within else []
    low, high = interval(lost, count, 3.29)
    wrong += [] if low <= a.loss <= high else [f'loss of {a.loss} % outside {low:.2f} to {high:.2f}']
    sys.exit('; '.join(wrong) or 0)


parser = argparse.ArgumentParser()
parser.add_argument('verb', choices=['ping', 'send', 'take'])
parser.add_argument('rest', nargs='*')
for key in ('--delay', '--jitter'):
    parser.add_argument(key, type=float)
parser.add_argument('--loss', type=float, default=0)
parser.add_argument('--within', type=float, default=0.3)
a = parser.parse_args()
if a.verb == 'send':
    send(a.rest[0], int(a.rest[1]), int(a.rest[2]), float(a.rest[3]))
elif a.verb == 'ping':
    judge('round trips', ping(a.rest[0], int(a.rest[1])), int(a.rest[1]), a)
else:
    judge('datagrams', take(int(a.rest[0]), int(a.rest[1])), int(a.rest[1]), a)
