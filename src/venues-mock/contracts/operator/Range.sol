// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Positions told by their distance from the current price, so that they fit whichever token sorts first
library Range {
    int24 private constant MAX_TICK = 887272;

    /// @param lowerSpacings Tick spacings from the usable tick at or below the current one to the lower end.
    /// @param upperSpacings Likewise to the upper end. Both 0: the whole range.
    struct Position {
        int24 lowerSpacings;
        int24 upperSpacings;
        uint128 liquidity;
    }

    /// @notice The ticks of a position in a pool that stands at `tick`.
    function ticks(
        Position calldata position,
        int24 tick,
        int24 spacing
    ) internal pure returns (int24 lower, int24 upper) {
        if (position.lowerSpacings == 0 && position.upperSpacings == 0) {
            upper = (MAX_TICK / spacing) * spacing;
            return (-upper, upper);
        }
        int24 centre = (tick / spacing) * spacing;
        if (tick < 0 && tick % spacing != 0) centre -= spacing;
        return (centre + position.lowerSpacings * spacing, centre + position.upperSpacings * spacing);
    }
}
