<?php
// Three sales, of which one is refused.
class Shop
{
	public function sell($n)
	{
		if ($n > 2)
			throw new RangeException('too many');
		return total($n);
	}
}

function total($n)
{
	return 7 * $n;
}

$shop = new Shop();
foreach ([1, 2, 3] as $n) {
	try {
		echo $shop->sell($n), "\n";
	} catch (RangeException $e) {
		echo "refused\n";
	}
}
