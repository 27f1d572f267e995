// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The ends of the price range of Uniswap V3 and V4
library SqrtPriceLimits {
    uint160 private constant MIN = 4295128739;
    uint160 private constant MAX = 1461446703485210103287273052203988822378723970342;

    /// @return The furthest price that a swap in this direction may name; a pool that stops there has run dry.
    function furthest(bool zeroForOne) internal pure returns (uint160) {
        return zeroForOne ? MIN + 1 : MAX - 1;
    }
}
