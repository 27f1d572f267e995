// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title A venue that the user calls directly (venue_c, venue_d): it knows no partner fee
/// @notice The native coin is address(0); the venue wraps and unwraps by itself.
interface IDirectVenue {
    /// @notice What `amountIn` of `tokenIn` would bring now. Reverts when this venue cannot price it.
    function quote(address tokenIn, address tokenOut, uint256 amountIn) external view returns (uint256 amountOut);

    /// @notice Takes exactly `amountIn` from the caller, by allowance or as value, and pays `recipient`.
    /// @dev Reverts when less than `minimumOut` would be paid.
    function swap(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 minimumOut,
        address recipient
    ) external payable returns (uint256 amountOut);
}
