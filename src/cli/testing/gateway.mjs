// A gateway in plain Node in front of a whole service, with the faults of a service that is still growing. Usage, as the command of
// `plumbline conform --start`: node gateway.mjs 'COMMAND OF THE SERVICE' FAULT…
//   not-served:PATH   404 for every request whose path ends so
//   crash-at:N        the gateway ends at the Nth request, with a last line of its log
//   drop-every:N      every Nth connection is closed without a response
//   no-timeout        a response that takes longer than 5 s is only sent after 40 s, as where a call of the chain has no time-out
//   no-depth          a report that is 202 is answered with 200 and recorded
//   error-body        the `error` of each refusal of build is called `message`
//   cache             no response of quote has a Cache-Control
//   fee-echo          `partnerFeeBps` of each response is one more
import { spawn } from 'node:child_process'
import { createServer, request as send } from 'node:http'

const [service, ...faults] = process.argv.slice(2)
const PORT = Number(process.env.PORT)
const BEHIND = PORT + 20_000 > 65_000 ? PORT - 20_000 : PORT + 20_000
const optionOf = (name) =>
  faults.find((fault) => fault === name || fault.startsWith(`${name}:`))?.slice(name.length + 1)
const SLOW_MS = 5_000
const HANGING_MS = 40_000

const child = spawn(`exec ${service}`, {
  shell: true,
  env: { ...process.env, PORT: `${BEHIND}` },
  stdio: 'inherit',
})
process.on('exit', () => child.kill())
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))

let count = 0
let dropped = 0
createServer((incoming, response) => {
  const path = incoming.url.split('?', 1)[0]
  if (path.startsWith('/api/')) count += 1
  if (count === Number(optionOf('crash-at'))) {
    console.error(
      `fatal: cannot read property 'amount' of undefined, while handling ${incoming.method} ${path}`,
    )
    process.exit(7)
  }
  dropped += 1
  if (dropped % Number(optionOf('drop-every')) === 0) return incoming.socket.destroy()
  const missing = faults.filter((fault) => fault.startsWith('not-served:')).map((fault) => fault.slice(11))
  if (missing.some((end) => path.endsWith(end))) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    return
  }
  forward(incoming, response, path)
}).listen(PORT, '127.0.0.1')

function forward(incoming, response, path) {
  const startedMs = Date.now()
  const { method, headers, url } = incoming
  const outgoing = send({ host: '127.0.0.1', port: BEHIND, method, path: url, headers }, (answer) => {
    const chunks = []
    answer.on('data', (chunk) => chunks.push(chunk))
    answer.on('end', () => {
      const { status, head, body } = spoilt(path, answer, Buffer.concat(chunks).toString())
      const isSlow = optionOf('no-timeout') !== undefined && Date.now() - startedMs > SLOW_MS
      const respond = () => response.writeHead(status, head).end(body)
      if (isSlow) setTimeout(respond, HANGING_MS)
      else respond()
    })
  })
  outgoing.on('error', () => response.writeHead(503).end())
  incoming.pipe(outgoing)
}

function spoilt(path, answer, text) {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...head } = answer.headers
  let status = answer.statusCode
  let body = text
  if (optionOf('cache') !== undefined && path.endsWith('/quote')) delete head['cache-control']
  if (optionOf('error-body') !== undefined && path.endsWith('/build') && status >= 400)
    body = text.replace('"error"', '"message"')
  if (optionOf('fee-echo') !== undefined && status === 200)
    body = text.replace(/"partnerFeeBps":(\d+)/, (_found, bps) => `"partnerFeeBps":${Number(bps) + 1}`)
  if (optionOf('no-depth') !== undefined && path.endsWith('/confirm') && status === 202) {
    status = 200
    body = '{"recorded":true,"alreadyRecorded":false}'
  }
  return { status, head, body }
}
