// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The part of ERC-20 that venues and settlement read. Transfers go through SafeTransfer.
interface IERC20 {
    function balanceOf(address owner) external view returns (uint256);
}
