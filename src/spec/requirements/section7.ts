import { clientErrorClauses } from './clientConfirm.ts'
import { clauses } from './types.ts'

/** §7 Errors. */
export const section7 = [
  ...clauses(
    { section: '7', subject: 'build' },
    {
      'build.bad-request.body': {
        clause: '400 | `{ error: <message string> }`',
        statement: 'The body of a 400 response of build is `{ error }` with a non-empty message.',
      },
      'build.bad-request.invalid-address': {
        clause: 'Invalid address',
        statement: 'A build with an invalid address returns 400.',
        floor: 2,
      },
      'build.bad-request.slippage': {
        clause: 'non-integer slippage',
        statement: 'A build with a non-integer slippage returns 400.',
      },
      'build.bad-request.fee-without-recipient': {
        clause: 'partner fee without a recipient',
        statement: 'A build with a partner fee but no recipient returns 400.',
      },
      'build.bad-request.sender': {
        clause: 'missing `sender`',
        statement: 'A build without `sender` returns 400.',
      },
      'build.bad-request.json': {
        clause: 'or malformed JSON.',
        statement: 'A build whose body is not a JSON object returns 400.',
      },
      'build.no-executable-route.body': {
        clause: '422 | `{ error: "no executable route" }`',
        statement: 'A 422 response of build has exactly this body.',
      },
      'build.no-executable-route.no-venue': {
        clause: 'No venue can build the trade now.',
        statement: 'A trade that no venue can build returns 422.',
        needs: 'sandbox',
      },
      'build.no-executable-route.market': {
        clause: 'Also returned when the route is the non-executable `market` estimate.',
        sameAs: 'build.market.refused',
      },
      'build.upstream-failure': {
        clause: '502 | `{ error: "build failed" }` | Upstream failure.',
        statement: 'A build while the chain cannot be read returns 502 with exactly this body.',
        needs: 'sandbox',
      },
    },
  ),
  ...clauses(
    { section: '7', subject: 'confirm', needs: 'sandbox', capability: 'attribution' },
    {
      'confirm.bad-request.json': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose body is not a JSON object returns 400.',
        needs: 'http',
      },
      'confirm.bad-request.build-id': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose `buildId` is not a UUID returns 400.',
        needs: 'http',
      },
      'confirm.bad-request.tx-hash': {
        clause: '400 | Invalid JSON, build ID or transaction hash.',
        statement: 'A report whose `txHash` is not a transaction hash returns 400.',
        needs: 'http',
      },
      'confirm.unauthorized': {
        clause: '401 | Authentication failure.',
        statement: 'A report without a key, or with an unknown key, returns 401.',
        needs: 'http',
        floor: 2,
      },
      'confirm.build-not-found': {
        clause: '404 | No build belonging to this active key.',
        statement: 'A report for a build that does not exist, or belongs to another key, returns 404.',
        needs: 'http',
        floor: 2,
      },
      'confirm.conflict.build': {
        clause: '409 | The build or transaction is already attributed elsewhere.',
        statement:
          'Reporting another transaction that matches a build which already has one returns 409; one that does not match returns 409 or 422.',
      },
      'confirm.conflict.transaction': {
        clause: '409 | The build or transaction is already attributed elsewhere.',
        statement:
          'Reporting a transaction that is already attributed to another build returns 409, or 422 where it does not match this build.',
      },
      'confirm.rejected.reverted': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A swap that reverted returns 422 once it is deep enough.',
        needs: 'sandbox',
      },
      'confirm.rejected.mismatched': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A transaction that does not match the build returns 422 once it is deep enough.',
      },
      'confirm.rejected.outside-window': {
        clause: '422 | Transaction reverted, mismatched, or executed outside the 20-minute window.',
        statement: 'A swap executed after the window returns 422 once it is deep enough.',
        needs: 'sandbox',
      },
      'confirm.budget-exceeded': {
        clause: '429 | The shared partner request budget is exceeded.',
        statement:
          'Reports beyond the declared budget return 429, those of another partner do not, and once the declared time is over reports are served again.',
        needs: 'sandbox',
        capability: 'confirm-budget',
      },
      'confirm.unavailable': {
        clause: '503 | Verification or storage temporarily unavailable.',
        statement:
          'A report while the chain cannot be read returns 503, and the failure neither loses the swap nor credits it.',
        needs: 'sandbox',
      },
      'confirm.error-body': {
        clause: 'Body shape of confirm errors: not shown.',
        statement: "Unspecified: the body of confirm's error responses.",
        level: 'silent',
        needs: 'http',
      },
      'confirm.order-of-checks': {
        clause: 'Confirm (`/swap/confirm`)',
        statement: 'Unspecified: which error is returned when several apply.',
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
        statement: 'A pair without a price returns 200.',
      },
      'quote.errors': {
        clause: 'Error statuses and bodies of the quote endpoint: not shown.',
        statement:
          'Unspecified: the status and body with which quote refuses bad input, a missing key, or an unreadable chain.',
        level: 'silent',
      },
    },
  ),
  ...clientErrorClauses,
]
