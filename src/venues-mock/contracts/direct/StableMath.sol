// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The Curve invariant for two coins, with the roundings of Curve's SwapTemplateBase
/// @notice Balances are `xp`: balances times their rates over 1e18. `amplification` is A × A_PRECISION.
library StableMath {
    uint256 internal constant A_PRECISION = 100;
    uint256 private constant COINS = 2;
    uint256 private constant ROUNDS = 255;

    error DidNotConverge();

    /// @notice The invariant D of the balances.
    function invariant(uint256 xp0, uint256 xp1, uint256 amplification) internal pure returns (uint256 d) {
        uint256 sum = xp0 + xp1;
        if (sum == 0) return 0;
        d = sum;
        uint256 ann = amplification * COINS;
        for (uint256 i = 0; i < ROUNDS; i++) {
            uint256 dp = (d * d) / (xp0 * COINS);
            dp = (dp * d) / (xp1 * COINS);
            uint256 previous = d;
            d =
                (((ann * sum) / A_PRECISION + dp * COINS) * d) /
                (((ann - A_PRECISION) * d) / A_PRECISION + (COINS + 1) * dp);
            if (within1(d, previous)) return d;
        }
        revert DidNotConverge();
    }

    /// @notice The balance of the other coin when one coin's balance is `x` and the invariant is `d`.
    function otherBalance(uint256 x, uint256 d, uint256 amplification) internal pure returns (uint256 y) {
        uint256 ann = amplification * COINS;
        uint256 c = (d * d) / (x * COINS);
        c = (c * d * A_PRECISION) / (ann * COINS);
        uint256 b = x + (d * A_PRECISION) / ann;
        y = d;
        for (uint256 i = 0; i < ROUNDS; i++) {
            uint256 previous = y;
            y = (y * y + c) / (2 * y + b - d);
            if (within1(y, previous)) return y;
        }
        revert DidNotConverge();
    }

    function within1(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }
}
