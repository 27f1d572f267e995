import { mulDiv, mulDivUp } from './result.ts'
import { getAmount0Delta, getAmount1Delta, getNextSqrtPriceFromInput } from './sqrtPriceMath.ts'

const PIPS = 1_000_000n

/** One exact-input step inside a range of constant liquidity. Prices are Q64.96 square roots. */
export interface StepInput {
  readonly sqrtPriceX96: bigint
  readonly sqrtTargetX96: bigint
  readonly liquidity: bigint
  readonly amountRemaining: bigint
  readonly feePips: bigint
}

export interface StepResult {
  readonly sqrtNextX96: bigint
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly feeAmount: bigint
}

export type SwapStep = (input: StepInput) => StepResult

function inputToTarget({ sqrtPriceX96, sqrtTargetX96, liquidity }: StepInput, zeroForOne: boolean): bigint {
  return zeroForOne
    ? getAmount0Delta(sqrtTargetX96, sqrtPriceX96, liquidity, true)
    : getAmount1Delta(sqrtPriceX96, sqrtTargetX96, liquidity, true)
}

function outputTo(sqrtNextX96: bigint, { sqrtPriceX96, liquidity }: StepInput, zeroForOne: boolean): bigint {
  return zeroForOne
    ? getAmount1Delta(sqrtNextX96, sqrtPriceX96, liquidity, false)
    : getAmount0Delta(sqrtPriceX96, sqrtNextX96, liquidity, false)
}

/**
 * Computes an exact-input step like `SwapMath.computeSwapStep` of v3-core. A step that stops short of its target recomputes its
 * input from the price it reached, and counts the rest of the remaining amount as fee.
 */
export function computeSwapStepV3(step: StepInput): StepResult {
  const { sqrtPriceX96, sqrtTargetX96, liquidity, amountRemaining, feePips } = step
  const zeroForOne = sqrtPriceX96 >= sqrtTargetX96
  const lessFee = mulDiv(amountRemaining, PIPS - feePips, PIPS)
  const toTarget = inputToTarget(step, zeroForOne)
  const sqrtNextX96 =
    lessFee >= toTarget
      ? sqrtTargetX96
      : getNextSqrtPriceFromInput(sqrtPriceX96, liquidity, lessFee, zeroForOne)
  const reached = sqrtNextX96 === sqrtTargetX96
  const amountIn = reached ? toTarget : inputToTarget({ ...step, sqrtTargetX96: sqrtNextX96 }, zeroForOne)
  return {
    sqrtNextX96,
    amountIn,
    amountOut: outputTo(sqrtNextX96, step, zeroForOne),
    feeAmount: reached ? mulDivUp(amountIn, feePips, PIPS - feePips) : amountRemaining - amountIn,
  }
}

/**
 * Computes an exact-input step like `SwapMath.computeSwapStep` of v4-core. Price and output are those of v3; the split of the
 * input differs: a step that stops short counts all of the remainder less fee as input, even if the rounded price needed less,
 * and a fee of 100 % is allowed and takes no input.
 */
export function computeSwapStepV4(step: StepInput): StepResult {
  const { sqrtPriceX96, sqrtTargetX96, liquidity, amountRemaining, feePips } = step
  const zeroForOne = sqrtPriceX96 >= sqrtTargetX96
  const lessFee = mulDiv(amountRemaining, PIPS - feePips, PIPS)
  const toTarget = inputToTarget(step, zeroForOne)
  if (lessFee >= toTarget) {
    return {
      sqrtNextX96: sqrtTargetX96,
      amountIn: toTarget,
      amountOut: outputTo(sqrtTargetX96, step, zeroForOne),
      feeAmount: feePips === PIPS ? toTarget : mulDivUp(toTarget, feePips, PIPS - feePips),
    }
  }
  const sqrtNextX96 = getNextSqrtPriceFromInput(sqrtPriceX96, liquidity, lessFee, zeroForOne)
  return {
    sqrtNextX96,
    amountIn: lessFee,
    amountOut: outputTo(sqrtNextX96, step, zeroForOne),
    feeAmount: amountRemaining - lessFee,
  }
}
