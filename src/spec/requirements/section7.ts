import { CLIENT_DUTY, clauses } from './types.ts'

/** §7 Errors. */
export const section7 = [
  ...clauses(
    { section: '7', subject: 'build' },
    {
      'build.bad-request.body': {
        clause: '400 | `{ error: <message string> }`',
        statement: 'The body of a 400 of build is `{ error }` with a message that is not empty.',
      },
      'build.bad-request.invalid-address': {
        clause: 'Invalid address',
        statement: 'A build with an address that is none is 400.',
        floor: 2,
      },
      'build.bad-request.slippage': {
        clause: 'non-integer slippage',
        statement: 'A build with a slippage that is no integer is 400.',
      },
      'build.bad-request.fee-without-recipient': {
        clause: 'partner fee without a recipient',
        statement: 'A build with a partner fee but no recipient is 400.',
      },
      'build.bad-request.sender': {
        clause: 'missing `sender`',
        statement: 'A build without `sender` is 400.',
      },
      'build.bad-request.json': {
        clause: 'or malformed JSON.',
        statement: 'A build whose body is no JSON is 400.',
      },
      'build.no-executable-route.body': {
        clause: '422 | `{ error: "no executable route" }`',
        statement: 'The body of a 422 of build is exactly this.',
      },
      'build.no-executable-route.no-venue': {
        clause: 'No venue can build the trade now.',
        statement: 'A build that no venue can make is 422.',
        needs: 'sandbox',
      },
      'build.no-executable-route.market': {
        clause: 'Also returned when the route is the non-executable `market` estimate.',
        statement: 'A build of a pair that only `market` prices is 422.',
        needs: 'sandbox',
      },
      'build.upstream-failure': {
        clause: '502 | `{ error: "build failed" }` | Upstream failure.',
        statement: 'A build while the chain cannot be read is 502 with exactly this body.',
        needs: 'sandbox',
      },
      'client.build-backoff': {
        clause: 'Retry with backoff.',
        statement: 'A client retries a 502 with backoff.',
        subject: 'client',
        level: 'untestable',
        untestableBecause: CLIENT_DUTY,
      },
    },
  ),
  ...clauses(
    { section: '7', subject: 'confirm', needs: 'chain', capability: 'attribution' },
    {
      'confirm.bad-request.json': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose body is no JSON is 400.',
        needs: 'http',
      },
      'confirm.bad-request.build-id': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose `buildId` is no UUID is 400.',
        needs: 'http',
      },
      'confirm.bad-request.tx-hash': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose `txHash` is no transaction hash is 400.',
        needs: 'http',
      },
      'confirm.unauthorized': {
        clause: '401 | Authentication failure.',
        statement: 'A report without a valid key is 401.',
        needs: 'http',
      },
      'confirm.build-not-found': {
        clause: '404 | No build belonging to this active key.',
        statement: 'A report of a build that does not exist, or belongs to another key, is 404.',
        needs: 'http',
        floor: 2,
      },
      'confirm.conflict.build': {
        clause: '409 | The build or transaction is already attributed elsewhere.',
        statement: 'A report of another transaction for a build that has one is 409.',
      },
      'confirm.conflict.transaction': {
        clause: '409 | The build or transaction is already attributed elsewhere.',
        statement: 'A report of a transaction that another build has is 409.',
      },
      'confirm.rejected.reverted': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A deep report of the swap that reverted is 422.',
        needs: 'sandbox',
      },
      'confirm.rejected.mismatched': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A deep report of a transaction that does not match the build is 422.',
      },
      'confirm.rejected.outside-window': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A deep report of the swap that executed after the window is 422.',
        needs: 'sandbox',
      },
      'confirm.budget-exceeded': {
        clause: '429 | The shared partner request budget is exceeded.',
        statement: 'Reports beyond the budget are 429, and are served again later.',
        needs: 'http',
      },
      'confirm.unavailable': {
        clause: '503 | Verification or storage temporarily unavailable.',
        statement: 'A report while the chain cannot be read is 503, and is never lost or credited by it.',
        needs: 'sandbox',
      },
      'client.confirm-backoff': {
        clause: '503 | Verification or storage temporarily unavailable. Retry with backoff.',
        statement: 'A client retries a 503 with backoff.',
        subject: 'client',
        level: 'untestable',
        untestableBecause: CLIENT_DUTY,
      },
      'confirm.error-body': {
        clause: 'Body shape of confirm errors: not shown.',
        statement: 'What the body of an error of confirm holds.',
        level: 'silent',
        needs: 'http',
      },
      'confirm.order-of-checks': {
        clause: 'Confirm (`/swap/confirm`)',
        statement: 'Which error comes first when a report deserves several.',
        level: 'silent',
        needs: 'http',
      },
    },
  ),
  ...clauses(
    { section: '7', subject: 'quote' },
    {
      'quote.no-price.not-an-error': {
        clause: 'a pair with no price is a 200 with `route: null`, not an error.',
        statement: 'A pair without a price is 200.',
      },
      'quote.errors': {
        clause: 'Error statuses and bodies of the quote endpoint: not shown.',
        statement: 'With which status and body quote refuses bad input, a missing key, or a broken chain.',
        level: 'silent',
      },
    },
  ),
]
