# SPDX-License-Identifier: GPL-2.0-or-later
# celsius() is called three times by table(), and once from outside; degree() as often as Thermometer.read(), 40 times.
def celsius(f):
    return (f - 32) * 5 / 9


def table(*values):
    result = []
    for f in values:
        result.append(celsius(f))
    return result


print(table(0, 32, 212))
print(celsius(451))


class Thermometer:
    def read(self):
        return degree(1)


def degree(n):
    return n


thermometer = Thermometer()
for _ in range(40):
    thermometer.read()
