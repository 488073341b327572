# SPDX-License-Identifier: GPL-2.0-or-later
"""decoding.py [-v] PROGRAM SPILE-OUTPUT STRACE-OUTPUT...: compares decoded system calls; see the script decoding.

What is written in another way on purpose is made alike first, by the rules below: each has its reason.
"""
import difflib
import errno
import re
import sys

# How much of texts is compared: argstr cuts buffers after 45 characters, strace after 64 bytes.
PRINTABLE, OTHERS = 30, 10

# ---- both ----

def text(m):
    """A text of C: each byte as \\ooo or itself, cut."""
    out = []
    for part in re.findall(r'\\[0-7]{1,3}|\\x[0-9a-f]{2}|\\.|[^\\]', m.group(1)):
        known = {'n': 10, 't': 9, 'r': 13, 'a': 7, 'b': 8, 'v': 11, 'f': 12, '\\': 92, '"': 34}
        if len(part) == 1:
            code = ord(part)
        elif part[1] in known:
            code = known[part[1]]
        elif part[1] == 'x':
            code = int(part[2:], 16)
        else:
            code = int(part[1:], 8)
        out.append(chr(code) if 35 <= code < 127 and code != 92 else '<%d>' % code)
    out = out[:OTHERS if any(x[0] == '<' for x in out[:PRINTABLE]) else PRINTABLE]
    return '"' + ''.join(out).replace(' ', '_').replace('|', '/') + '"'

def alike(s):
    s = re.sub(r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?', text, s)
    s = re.sub(r'\bNULL\b', '0', s)
    s = re.sub(r'\b0x[0-9a-f]+\b', lambda m: str(int(m.group(0), 16)), s)      # the base of a number
    s = re.sub(r'(?<![\w.])0([0-7]+)\b', lambda m: str(int(m.group(1), 8)), s)
    s = re.sub(r'\b184467440737\d{8}\b', lambda m: str(int(m.group(0)) - (1 << 64)), s)  # small numbers without a sign
    s = re.sub(r'\b[A-Z_][A-Z0-9_]*(?:\|[A-Z0-9_]+)+', lambda m: '|'.join(sorted(m.group(0).split('|'))), s)  # the order of bits
    return s

# ---- spile ----

SIGNALS = {'SIGRTMIN': 'RTMIN'}

def sigset(s):
    return re.sub(r'(?<![\w"])\[(SIG[A-Z0-9+|]*)\]', lambda m: '[' + ' '.join(x.replace('SIG', '').replace('RTMIN+', 'RT_') for x in m.group(1).split('|')) + ']', s)

def address(m):
    family, rest = m.group(1), m.group(2)
    if family == 'INET':
        a, p = rest.split(', ')
        return '{sa_family=AF_INET, sin_port=htons(%s), sin_addr=inet_addr("%s")}' % (p, a)
    if family == 'INET6':
        a, p = rest.split(', ')
        return '{sa_family=AF_INET6, sin6_port=htons(%s), sin6_addr="%s"}' % (p, a)
    if family == 'UNIX':
        return '{sa_family=AF_UNIX, sun_path=%s}' % rest
    a, p = rest.split(', ')
    return '{sa_family=AF_NETLINK, nl_pid=%s, nl_groups=%s}' % (a, p)

def time(m):
    unit = 'tv_usec' if len(m.group(2)) == 6 else 'tv_nsec'
    return '{tv_sec=%s, %s=%d}' % (m.group(1), unit, int(m.group(2)))

def sigaction(m):
    return '{sa_handler=%s, sa_mask=%s, sa_flags=%s, sa_restorer=%s}' % (m.group(1), m.group(4), m.group(2), m.group(3))

def spile(s):
    s = re.sub(r'\{AF_(INET6?|UNIX|NETLINK), ([^{}]*)\}', address, s)           # the words of SystemTap's
    s = re.sub(r'\{AF_(\w+)\}', r'{sa_family=AF_\1}', s)
    s = re.sub(r'\bPF_(\w+)', r'AF_\1', s)
    pair = r'\[(-?\d+\.-?\d+|UTIME_\w+)\]'
    s = re.sub(pair + pair, lambda m: '[' + ', '.join(x if x[0] == 'U' else '[%s]' % x for x in m.groups()) + ']', s)
    s = re.sub(r'\[(-?\d+)\.(\d{9}|\d{6}|-\d+)\]', time, s)
    s = re.sub(r'\[(-?\d+)\.(\d{9}|\d{6}|-\d+),(-?\d+)\.(\d{9}|\d{6}|-\d+)\]', lambda m: '{it_interval={tv_sec=%s, U=%d}, it_value={tv_sec=%s, U=%d}}'.replace(
        'U', 'tv_nsec' if len(m.group(2)) == 9 else 'tv_usec') % (m.group(1), int(m.group(2)), m.group(3), int(m.group(4))), s)
    s = re.sub(r'\{fd=-1, events=[A-Z|]+\}', '{fd=-1}', s)                       # what is not looked at
    s = re.sub(r', revents=[A-Z|]+', '', s)                                    # at the return, both: strace has the second apart
    s = re.sub(r'\[(\d+|RLIM_INFINITY),(\d+|RLIM_INFINITY)\]', r'{rlim_cur=\1, rlim_max=\2}', s)
    s = re.sub(r'\[/\* (\d+) (or more )?vars? \*/\]', r'ENV \1 \2', s)
    s = re.sub(r'\{(0x[0-9a-f]+), ([A-Z_|0x0-9a-f]+), (0x[0-9a-f]+), (~?\[[^\]]*\])\}', sigaction, s)
    s = re.sub(r'\{(SIG_\w+)\}', r'{sa_handler=\1}', s)
    s = s.replace('{NULL}', 'NULL').replace('[EMPTY]', '[]')
    s = sigset(s)
    s = re.sub(r'SIGRTMIN\+?(\d*)', lambda m: 'SIGRT_' + (m.group(1) or '0'), s)
    s = s.replace('AF_LOCAL', 'AF_UNIX').replace('WUNTRACED', 'WSTOPPED')       # two names for a number
    s = re.sub(r'\b(effective|permitted|inheritable)=0x[1-9a-f][0-9a-f]*', r'\1=MANY', s)   # more than a few, as a number
    return s

# ---- strace ----

def strace(s):
    s = re.sub(r'0x[0-9a-f]+ /\* (\d+) vars? \*/', r'ENV \1 ', s)
    s = re.sub(r' /\* [^*]* \*/', '', s)                                      # notes about a value
    s = re.sub(r'inet_pton\(AF_INET6, ("[^"]*"), &sin6_addr\)', r'sin6_addr=\1', s)
    s = re.sub(r', sin6_flowinfo=[^,]*', '', s)
    s = re.sub(r', sin6_scope_id=\d+', '', s)
    s = re.sub(r'\b(\d+)\*1024\b', lambda m: str(int(m.group(1)) * 1024), s)
    s = s.replace('FUTEX_32', 'FUTEX2_SIZE_U32').replace('MAP_FILE', '0')       # other names for these
    s = s.replace('RLIM64_INFINITY', 'RLIM_INFINITY').replace('AT_STATX_SYNC_AS_STAT', '0').replace('|EPOLL_CLOEXEC', '|O_CLOEXEC')
    s = s.replace('EPOLL_CLOEXEC', 'O_CLOEXEC').replace('|0,', ',') if 'EPOLL_CTL' not in s else s
    s = re.sub(r'msg_namelen=\d+ => ', 'msg_namelen=', s)                     # before and after: the second
    s = re.sub(r'S_ISVTX\|0(\d+)', lambda m: '0%o' % (0o1000 | int(m.group(1), 8)), s)
    s = re.sub(r' => \{[^}]*\}', '', s)
    s = re.sub(r'\[(-?\d+)\] => \[-?\d+\]', r'[\1]', s)                    # of an offset: what was passed
    s = re.sub(r'(FUTEX_\w+)_PRIVATE\b', r'\1|FUTEX_PRIVATE_FLAG', s)
    s = re.sub(r'sa_handler=(SIG_DFL|SIG_IGN), sa_mask=[^}]*\}', r'sa_handler=\1}', s)   # without a handler the rest means nothing
    s = re.sub(r'(1<<CAP_\w+\|){4,}1<<CAP_\w+', 'MANY', s)
    s = sigset(s)
    s = re.sub(r'nl_groups=0*([0-9a-f]+)\}', r'nl_groups=0x\1}', s)
    return s

# ---- lines ----

def of_spile(path):
    threads = {}
    for line in open(path, errors='surrogateescape'):
        m = re.match(r'(\d+) (-?\d+) (-?\w+)\((.*)\) = (-?\d+)$', line)
        if m:
            call, args = m.group(3), m.group(4)
            one = re.match(r'SYS_(\w+), \[(.*)\]$', args) if call == 'socketcall' else None
            if one:                                                             # strace has the call that it stands for
                call, args = one.group(1).lower(), one.group(2)
            elif call == 'ipc':
                call = args.split(',')[0].lower()
            threads.setdefault(m.group(1), []).append((call, alike(spile(args)), int(m.group(5)), int(m.group(2))))
    return threads

def of_strace(path):
    calls = []
    for line in open(path, errors='surrogateescape'):
        m = re.match(r'(\w+)\((.*)\)\s+= (\S+)(?: (E\w+))?(.*)$', line)
        if m and m.group(3) != '?' and m.group(1) != 'rt_sigreturn':            # the kernel reports its return without its number
            value = re.sub(r'^0(?=[0-7])', '0o', m.group(3))
            name = re.sub(r'^syscall_0x([0-9a-f]+)$', lambda n: '#%d' % ((int(n.group(1), 16) ^ 1 << 63) - (1 << 63)), m.group(1))
            calls.append((name, alike(strace(m.group(2))), -getattr(errno, m.group(4), 0) if m.group(4) else int(value, 0)))
    return calls

# ---- differences that have a reason, in doc/compatibility.md ----

def split(s):
    """The arguments of a call."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(s):
        depth += c in '[{(' or 0
        depth -= c in ']})' or 0
        if c == ',' and not depth:
            out.append(s[start:i].strip())
            start = i + 1
    return out + [s[start:].strip()] if s else []

def members(s):
    return [x for x in split(s[1:-1]) if x != '...']

def reason(name, ours, theirs):
    """Why these arguments may differ; None: they must not."""
    if ours == theirs:
        return 'same'
    if re.fullmatch(r'\d+', ours) and re.match(r'[\[{"]', theirs):
        return 'address'                # a structure, a length, or a text that is not decoded, or was not in memory
    if re.fullmatch(r'\d+', theirs) and re.match(r'~?[\["]' if name != 'bpf' else r'\{', ours):
        return 'text'                   # argstr shows what is there, though the call fails, or does not look
    if re.fullmatch(r'\[[\d ]*\]', theirs) and re.fullmatch(r'\[[\d ]*\]', ours):
        return 'sets'                   # of select: what is left in them
    if ours[:1] == theirs[:1] == '{':
        a, b = members(ours), members(theirs)
        if set(a) <= set(b) or set(b) <= set(a):
            return 'members'            # one shows more of them
        if len(a) == len(b) and all(x == y or x.startswith('msg_control=') for x, y in zip(a, b)):
            return 'address'
    if theirs.startswith('_IOC('):
        return 'name'
    if re.fullmatch(r'[\d|A-Z_]+', ours) and re.fullmatch(r'[\d|A-Z_a-z()]+', theirs):
        a, b = set(ours.split('|')), set(theirs.split('|'))
        if any(x.isdigit() for x in a ^ b):
            return 'name'               # one has a name for bits, and the other does not
    if re.match(r'ENV \d+ or more', ours) and theirs.startswith('ENV'):
        return 'cut'
    if ours.endswith(('...]', '...')) or theirs.endswith(('...]', '...')):
        n = min(len(ours), len(theirs)) - 4
        if ours[:max(n, 0)] == theirs[:max(n, 0)] or ours.startswith('{') and theirs.startswith('{') or ours.startswith('[') and theirs.startswith('['):
            return 'cut'                # strace shows more, or less, of a list or a structure
    return None

def compare(name, ours, theirs):
    a, b = split(ours), split(theirs)
    if name[0] == '#':
        return {'unknown'}              # strace has no names for its arguments
    if name in ('mmap', 'select') and len(a) == 1 and len(b) > 1:
        a = [x.split('=', 1)[1] for x in members(a[0])]                         # of 32-bit programs, in memory: strace shows them as passed
    if name == 'shmget' and a and a[0].startswith('SHM'):
        return {'numbers'}              # of ipc(), which stands for several
    if name == '_llseek' and len(a) == len(b) + 1:
        a[1:3] = [str((int(a[1]) << 32 | int(a[2])) if a[1].isdigit() and a[2].isdigit() else a[1])]
    if name == 'sigaltstack':
        b = [re.sub(r'\b\w+=', '', x) for x in b]
    if ours.endswith('...'):
        return {'cut'} if a[:-1] == b[:len(a) - 1] else None
    if name == 'clone':                 # by names there, and in another order
        values = [x.split('=', 1)[1] for x in b if '=' in x]
        return {'order'} if all(x in a for x in values) else None
    if len(a) > len(b) and b == a[:len(b)]:
        return {'unused'}               # registers that this call does not look at
    if len(a) != len(b):
        return None
    reasons = {reason(name, x, y) for x, y in zip(a, b)}
    return None if None in reasons else (reasons - {'same'} or {'same'})

def main():
    args = sys.argv[1:]
    verbose = args[0] == '-v'
    program, ours_path, theirs_paths = args[verbose], args[verbose + 1], args[verbose + 2:]
    ours, total, missing = of_spile(ours_path), 0, 0
    kinds, shown, differ, absent = {}, set(), [], set()
    for path in theirs_paths:
        theirs = of_strace(path)
        mine = ours.get(path.rsplit('.', 1)[1], [])
        unknown = {c[0] for c in theirs if c[0][0] == '#'}                       # by their numbers
        mine = [('#%d' % c[3],) + c[1:3] if '#%d' % c[3] in unknown else c[:3] for c in mine]
        matcher = difflib.SequenceMatcher(None, [c[0] for c in mine], [c[0] for c in theirs], autojunk=False)
        for op, a0, a1, b0, b1 in matcher.get_opcodes():
            if op != 'equal':
                missing += b1 - b0
                absent |= {c[0] for c in theirs[b0:b1]}
                continue
            for i in range(a1 - a0):
                x, y = mine[a0 + i], theirs[b0 + i]
                total += 1
                r = compare(x[0], x[1], y[1])
                if r is None or x[2] != y[2]:
                    differ.append((x[0], '%s) = %d' % x[1:], '%s) = %d' % y[1:]))
                    continue
                for k in r:
                    kinds.setdefault(k, []).append(x[0])
    print('%s: %d calls compared, %d differ, %d of strace\'s not found%s' % (program, total, len(differ), missing, ''.join(
        ' ' + x for x in sorted(absent))))
    print('  ' + '; '.join('%s %d%s' % (k, len(v), '' if k == 'same' else ' (%s)' % ' '.join(sorted(set(v)))) for k, v in sorted(kinds.items())))
    for name, a, b in differ:
        if verbose or name not in shown:
            print('  %s(%s\n  %s %s' % (name, a, ' ' * len(name), b))
        shown.add(name)
    return 1 if not total or len(differ) * 50 > total or missing * 50 > total else 0

sys.exit(main())
