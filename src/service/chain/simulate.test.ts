import { describe, expect, test } from 'vitest'
import { ChainUnavailableError } from '../errors.ts'
import { readGasPrice, readSimulation, simulation } from './simulate.ts'

const OUTCOME = { status: '0x1', returnData: '0x' }
const ok = (result: unknown) => ({ ok: true, result }) as const

test('a simulation is one block on top of the latest, every call with its own gas', () => {
  const calls = [
    { to: '0x01', data: '0x', gas: 255n },
    { from: '0x02', to: '0x03', data: '0xab', valueRaw: 16n, gas: 1n },
  ] as const
  expect(simulation(calls, { holder: '0x02', raw: 16n })).toEqual({
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            calls: [
              { to: '0x01', data: '0x', gas: '0xff' },
              { from: '0x02', to: '0x03', data: '0xab', value: '0x10', gas: '0x1' },
            ],
            stateOverrides: { '0x02': { balance: '0x10' } },
          },
        ],
      },
      'latest',
    ],
  })
})

describe('readSimulation', () => {
  test('distinguishes success and revert', () => {
    const calls = [
      { status: '0x1', returnData: '0x2A', gasUsed: '0x1', logs: [] },
      { status: '0x0', returnData: '0x', error: { code: 3, message: 'reverted' } },
    ]
    expect(readSimulation(ok([{ calls }]), 2)).toEqual([
      { ok: true, data: '0x2a' },
      { ok: false, data: '0x' },
    ])
  })

  test.each([-38014, -32003])('error %d: a sender has too little', (code) => {
    expect(readSimulation({ ok: false, code, message: '' }, 1)).toBe('unfunded')
  })

  test.each([
    ['no reply', undefined],
    ['another error', { ok: false, code: -32601, message: 'method not found' } as const],
    ['null', ok(null)],
    ['no block', ok([])],
    ['no calls', ok([{}])],
    ['too few calls', ok([{ calls: [] }])],
    ['too many calls', ok([{ calls: [OUTCOME, OUTCOME] }])],
    ['two blocks', ok([{ calls: [OUTCOME] }, { calls: [OUTCOME] }])],
    ['no outcome', ok([{ calls: [null] }])],
    ['an outcome that is a string', ok([{ calls: ['0x1'] }])],
    ['another status', ok([{ calls: [{ ...OUTCOME, status: '0x2' }] }])],
    ['half a byte', ok([{ calls: [{ ...OUTCOME, returnData: '0x123' }] }])],
    ['bytes that are none', ok([{ calls: [{ ...OUTCOME, returnData: 'odd' }] }])],
    ['bytes as an object', ok([{ calls: [{ ...OUTCOME, returnData: { toString: 1 } }] }])],
  ])('%s: the chain cannot be read', (_name, reply) => {
    expect(() => readSimulation(reply, 1)).toThrow(ChainUnavailableError)
  })
})

describe('readGasPrice', () => {
  test('reads hex', () => {
    expect(readGasPrice(ok('0x3b9aca07'))).toBe(1_000_000_007n)
  })

  test.each([
    [undefined],
    [ok('0x')],
    [ok(`0x1${'0'.repeat(64)}`)],
    [{ ok: false, code: 1, message: '' } as const],
  ])('%o: the chain cannot be read', (reply) => {
    expect(() => readGasPrice(reply)).toThrow(ChainUnavailableError)
  })
})
