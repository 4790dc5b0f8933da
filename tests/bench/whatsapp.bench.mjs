// WhatsApp: `npm run bench -- whatsapp`. The built app in a process of its own, over the embedded database, and its number at a
// stand-in that limits calls as WhatsApp does. People who have never written before write to it, each once, at a fixed rate, whatever
// has been answered. Prints how soon webhooks are answered, when all messages are in conversations, and at what pace answers go out; then
// a broadcast goes to all of them as fast as WhatsApp lets a number send, which is what saturates its limit.
import { createHmac } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '../../server/cli/sources.mjs'
import { joinAs, load, startApp } from './builtApp.mjs'

const A_SECOND = Number(process.env.PARLEY_BENCH_WEBHOOKS ?? 1_000)
const SECONDS = Number(process.env.PARLEY_BENCH_SECONDS ?? 5)
/** Seconds after which what is not done yet is said to be open. */
const PATIENCE = 600
const TICK = 10

const of = (path) => load(join(root, path))
const { startWhatsappStandIn } = await of('server/sandbox/whatsapp/whatsapp.ts')
const { connectWhatsapp } = await of('server/contracts/whatsapp.ts')
const { createChatbot } = await of('server/contracts/chatbots.ts')
const { importFlow, publishFlow } = await of('server/contracts/flows.ts')
const { listProjects } = await of('server/contracts/projects.ts')
const { fetchWhatsappTemplates } = await of('server/contracts/whatsappTemplates.ts')
const { listBroadcasts, startBroadcast, MOST_A_MINUTE } = await of('server/contracts/whatsappBroadcasts.ts')
const { welcomeFlow } = await of('tests/bench/ownWelcome.ts')

const standIn = await startWhatsappStandIn({ clock: () => new Date(), limited: true })
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
await chmod(folder, 0o755)
const app = await startApp(folder, { WHATSAPP_API_URL: standIn.origin })
try {
  const number = await connect()
  await warmUp()
  const began = performance.now()
  const took = await writeAll(A_SECOND * SECONDS, A_SECOND)
  const sent = (performance.now() - began) / 1_000
  console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)} when it ended; ${took.length} people.`)
  print(took, sent)
  await follow(took.length, began)
  await tellAll(number)
} finally {
  await app.stop()
  await standIn.close()
  await rm(folder, { recursive: true, force: true })
}

/** A chatbot that says one sentence to whoever writes. */
async function connect() {
  const owner = await joinAs(app.url, app.ownerLink)
  const { projects } = await owner.call(listProjects, {})
  const pgid = projects[0].gid
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bench' } })
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await owner.call(importFlow, { params, body: { source: JSON.stringify(welcomeFlow), mode: 'replace' } })
  await owner.call(publishFlow, { params })
  const { appId, appSecret, businessId, number, token } = standIn.state
  const keys = {
    app_id: appId,
    app_secret: appSecret,
    business_id: businessId,
    number_id: number.id,
    token,
    pin: '123456',
  }
  const place = { pgid, cgid: chatbot.gid }
  await owner.call(connectWhatsapp, { params: place, body: keys })
  return { owner, place }
}

async function warmUp() {
  await writeAll(200, 100)
  while (standIn.state.readByBusiness.size < 200) await pause(50)
  await pause(4_000)
  standIn.calls.length = 0
  standIn.state.readByBusiness.clear()
}

/** New people write, so many a second. @returns for each how long WhatsApp waited for the answer, in ms; null: it was refused */
async function writeAll(count, aSecond) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const waiting = []
  const start = performance.now()
  while (waiting.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - start) * aSecond) / 1_000))
    while (waiting.length < due) waiting.push(post(agent, webhook()))
    await pause(TICK)
  }
  const took = await Promise.all(waiting)
  agent.destroy()
  return took
}

/** As the stand-in sends one, but without waiting for those before. */
function webhook() {
  const { state, phones } = standIn
  const number = `4477${String(state.phones.length).padStart(8, '0')}`
  const phone = phones.add(`Person ${number}`, number)
  const at = state.clock()
  const content = { type: 'text', text: { body: 'Hello, I have a question' } }
  const id = `wamid.${state.random.text(32)}`
  phone.messages.push({ id, from: 'person', at, content })
  phone.wroteAt = at
  const message = {
    from: number,
    from_user_id: phone.userId,
    id,
    timestamp: String(Math.floor(at.getTime() / 1_000)),
    ...content,
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '442079460958', phone_number_id: state.number.id },
    contacts: [{ profile: { name: phone.name }, user_id: phone.userId, wa_id: number }],
    messages: [message],
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: state.businessId, time: Math.floor(at.getTime() / 1_000), changes: [{ value, field: 'messages' }] }],
  })
}

function post(agent, body) {
  const began = performance.now()
  const signature = createHmac('sha256', standIn.state.appSecret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-hub-signature-256': `sha256=${signature}`,
  }
  return new Promise((resolve, reject) => {
    const call = request(standIn.state.subscription.url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - began : null))
    })
    call.on('error', reject)
    call.end(body)
  })
}

function print(took, seconds) {
  const right = took.filter((ms) => ms !== null).toSorted((a, b) => a - b)
  const at = (share) => (right[Math.min(right.length - 1, Math.floor(right.length * share))] ?? 0).toFixed(1)
  console.log(
    `Receiving: ${Math.round(right.length / seconds)} webhooks a second held for ${seconds.toFixed(1)} s, ${took.length - right.length} refused; ` +
      `answered in p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`,
  )
}

/** Until all messages are in conversations, and all answers have been sent. */
async function follow(people, began) {
  const { state } = standIn
  const sends = () => standIn.calls.filter(({ path, body }) => path.endsWith('/messages') && body?.status !== 'read')
  const passed = () => (performance.now() - began) / 1_000
  let taken = null
  while (passed() < PATIENCE) {
    if (taken === null && state.readByBusiness.size >= people) {
      taken = passed()
      console.log(
        `Taking: all ${people} in conversations after ${taken.toFixed(1)} s, ${Math.round(people / taken)} a second`,
      )
    }
    if (taken !== null && sends().filter(({ status }) => status === 200).length >= people) break
    await pause(200)
  }
  if (taken === null)
    console.log(`Taking: ${state.readByBusiness.size} of ${people} in conversations after ${PATIENCE} s`)
  const { length } = sends().filter(({ status }) => status === 200)
  const twice = state.phones.filter(
    ({ messages }) => messages.filter(({ from }) => from === 'business').length > 1,
  ).length
  console.log(
    `Sending: ${length} of ${people} sent, ${paceOf(sends())}; ${twice} people got an answer twice; load ${loadavg()[0].toFixed(1)}`,
  )
}

/** A template to everybody who has written, at the pace that a number has at most. */
async function tellAll({ owner, place }) {
  const template = { name: 'news', language: 'en' }
  standIn.state.templates.push({
    ...{ ...template, id: '1', category: 'UTILITY', status: 'APPROVED', quality: 'GREEN' },
    components: [{ type: 'BODY', text: 'We are open on Sunday.' }],
  })
  await owner.call(fetchWhatsappTemplates, { params: place })
  standIn.calls.length = 0
  const began = performance.now()
  const body = {
    ...{ name: 'News', segment: null, template, fills: [] },
    ...{ per_minute: MOST_A_MINUTE, price: 0, currency: 'EUR' },
  }
  await owner.call(startBroadcast, { params: place, body })
  const isOver = async () => {
    const [{ status, people }] = (await owner.call(listBroadcasts, { params: place })).broadcasts
    return status === 'done' && people.waiting + people.sending === 0
  }
  while (!(await isOver()) && performance.now() - began < PATIENCE * 1_000) await pause(1_000)
  const sends = standIn.calls.filter(({ path, body: sent }) => path.endsWith('/messages') && sent?.type === 'template')
  const people = new Set(sends.filter(({ status }) => status === 200).map(({ body: sent }) => sent.to))
  console.log(
    `Broadcast: ${people.size} of ${standIn.state.phones.length} got it, ${paceOf(sends)}; load ${loadavg()[0].toFixed(1)}`,
  )
}

function paceOf(sends) {
  const times = sends
    .filter(({ status }) => status === 200)
    .map(({ at }) => at.getTime())
    .toSorted((a, b) => a - b)
  const span = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000
  const most = Math.max(
    ...times.map((time, index) => times.slice(index, index + 200).filter((one) => one - time < 1_000).length),
  )
  const refused = sends.filter(({ status }) => status !== 200).length
  return (
    `${(times.length / span).toFixed(1)} a second over ${span.toFixed(1)} s, ` +
    `at most ${most} in any second, ${refused} refused by the limit of 80`
  )
}
