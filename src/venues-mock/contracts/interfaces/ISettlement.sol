// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Settlement of one swap through a venue front, with the partner's fee carved out of the input
interface ISettlement {
    /// @param venue The front to swap through; it must be one that the settlement contract knows.
    /// @param tokenIn What the user pays, address(0) for the native coin.
    /// @param tokenOut What the user receives, address(0) for the native coin.
    /// @param venueTokenIn What the venue takes: `tokenIn`, or its wrapped or unwrapped twin.
    /// @param venueTokenOut What the venue pays: `tokenOut`, or its wrapped or unwrapped twin.
    /// @param amountIn The whole amount the user pays, fee included.
    /// @param feeAmount The part of `amountIn` that goes to `feeRecipient`; the venue swaps exactly the rest.
    /// @param minimumOut The least that must arrive at the user, measured by balance.
    /// @param usePermit2 Whether an ERC-20 input is taken through the user's Permit2 allowance.
    /// @param route The venue's own path.
    struct Swap {
        address venue;
        address tokenIn;
        address tokenOut;
        address venueTokenIn;
        address venueTokenOut;
        uint256 amountIn;
        uint256 feeAmount;
        address feeRecipient;
        uint256 minimumOut;
        bool usePermit2;
        bytes route;
    }

    /// @notice Swaps for the caller, who also receives.
    /// @return amountOut What arrived at the caller.
    function swap(Swap calldata order) external payable returns (uint256 amountOut);
}
