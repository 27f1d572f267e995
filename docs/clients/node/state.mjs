import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Opens what survives a restart:
 * - `startedAtMs`: when the first start began; the goal's time counts from there.
 * - `transactions`: everything that was signed, in the order of nonces: approvals, fee transfer, swap.
 * - `swap`: null until it is signed; then its hash, and the `buildId` of its own build (null: no attribution).
 * - `reports`: how many reports were not final.
 * - `reportAtMs`: no report before this time.
 * - `isDone`: the swap is mined, and recorded where it is attributed.
 */
export function openState(folder) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'swap.json')
  const fresh = {
    startedAtMs: Date.now(),
    transactions: [],
    swap: null,
    reports: 0,
    reportAtMs: 0,
    isDone: false,
  }
  const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : fresh

  /** Replaces the file as a whole: whenever the program is killed, the file holds the old state or the new one. */
  function save(changes) {
    Object.assign(state, changes)
    writeFileSync(`${file}.new`, JSON.stringify(state), { flush: true })
    renameSync(`${file}.new`, file)
  }
  save({})
  return { state, save }
}
