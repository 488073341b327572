#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The example ucalls counts methods of Ruby that are written in C, by the class that they are called of. (Ruby 3.1 tells of others only while it traces itself.)
# needs-package: process("/usr/lib/*/libruby-*.so*").provider("ruby").mark("method__entry")
# timeout: 120
# kernel: any
cd "$B" || exit 1
cat >methods.rb <<'X'
class Shop
  def price(n)
    n.divmod(7)
  end
end
shop = Shop.new
25.times { |i| shop.price(i) }
X
"$SPILE" -r "$RELEASE" -p4 -m methods_of_ruby --example ucalls >/dev/null || exit 1
out=$("$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" -c "ruby --disable=gems $B/methods.rb" "$B/methods_of_ruby.ko" top=2000)
echo "$out" | grep -qE '^[0-9]+ +ruby +Integer\.divmod +25$' && echo "$out" | grep -qE '^[0-9]+ +ruby +Integer\.times +1$' && exit 0
echo "$out" | head -40
exit 1
