// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The part of Permit2 that settlement calls: spending an allowance that the owner's signature gave
interface IPermit2 {
    function transferFrom(address from, address to, uint160 amount, address token) external;
}
