// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title One side of an order book: price levels, the best on top of a stack
library Book {
    /// @dev Prices are quote base units per base base unit, times this: fine enough for any two decimals.
    uint256 internal constant PRICE_SCALE = 1e36;

    /// @param price Quote base units for one base base unit, times 1e36.
    /// @param size Base units of the base token on offer (asks) or wanted (bids).
    struct Level {
        uint128 price;
        uint128 size;
    }

    /// @param out What the taker receives.
    /// @param emptied How many levels, counted from the top, are used up.
    /// @param taken The base units taken from the level below those.
    struct Fill {
        uint256 out;
        uint256 emptied;
        uint256 taken;
    }

    error BookDry(uint256 unfilled);

    /// @notice What selling `amount` of the base token into bids brings, in the quote token; each level rounds down.
    function sell(Level[] storage bids, uint256 amount) internal view returns (Fill memory fill) {
        for (uint256 depth = bids.length; depth > 0 && amount > 0; depth--) {
            Level memory level = bids[depth - 1];
            if (amount < level.size) {
                fill.taken = amount;
                fill.out += (amount * level.price) / PRICE_SCALE;
                return fill;
            }
            fill.emptied++;
            fill.out += (uint256(level.size) * level.price) / PRICE_SCALE;
            amount -= level.size;
        }
        if (amount > 0) revert BookDry(amount);
    }

    /// @notice What `amount` of the quote token buys from asks, in the base token. A whole level costs its price rounded
    /// up, a part of one is rounded down.
    function buy(Level[] storage asks, uint256 amount) internal view returns (Fill memory fill) {
        for (uint256 depth = asks.length; depth > 0 && amount > 0; depth--) {
            Level memory level = asks[depth - 1];
            uint256 cost = (uint256(level.size) * level.price + PRICE_SCALE - 1) / PRICE_SCALE;
            if (amount < cost) {
                fill.taken = (amount * PRICE_SCALE) / level.price;
                fill.out += fill.taken;
                return fill;
            }
            fill.emptied++;
            fill.out += level.size;
            amount -= cost;
        }
        if (amount > 0) revert BookDry(amount);
    }

    /// @notice Takes a fill's liquidity off the book.
    function take(Level[] storage levels, Fill memory fill) internal {
        for (uint256 i = 0; i < fill.emptied; i++) levels.pop();
        if (fill.taken > 0) levels[levels.length - 1].size -= uint128(fill.taken);
    }
}
