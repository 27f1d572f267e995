// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The front of a venue whose fee sits inside the settlement transaction (venue_a, venue_b, venue_e, venue_f)
/// @notice The native coin is address(0). Which coin a venue trades, native or WETH, is the venue's own matter: the
/// settlement contract converts. `route` is the venue's own path: see each front.
interface IVenueFront {
    /// @notice What `amountIn` of `tokenIn` would bring now. Reverts when this venue cannot price it.
    /// @dev Not a view: real quoters swap and revert.
    function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes calldata route)
        external
        returns (uint256 amountOut);

    /// @notice Where an ERC-20 input must have been sent before `swapExactIn` is called.
    function inbox(address tokenIn, address tokenOut, bytes calldata route) external view returns (address);

    /// @notice Swaps what lies in the inbox (ERC-20) or was sent along (native), and sends the output to `recipient`.
    /// @param amountIn What the caller sent to the inbox; a token that takes a fee on transfer may have brought less.
    /// @return amountOut What the venue sent.
    function swapExactIn(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        address recipient,
        bytes calldata route
    ) external payable returns (uint256 amountOut);
}
