import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { httpEffect, NO_HTTP_ANSWER } from '../../engine/effects/http'
import { mailEffect } from '../../engine/effects/mail'
import type { BotMessage, InputRequest, Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram } from '../../engine/run/program'
import { converse, type Visitor } from '../../engine/run/recording'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import { newSession, type TurnInput, turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import type { TerminalContext } from '../../server/cli/parley/handlers'
import { createHttpHandler } from '../../server/modules/flows/httpRequest/httpHandler'
import { type EffectHandler, handleEffect } from '../../server/platform/effects/handleEffect'
import { renderMail } from '../../server/platform/mail/renderMail'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { createOutboundFetch } from '../../server/platform/outbound/outboundFetch'
import { startOutsideServer } from '../support/outsideServer'
import { sharedTypebotFiles, typebotFiles, typebotSource } from '../support/typebot'

/** A reply of a visitor: a button's label or several, a text, or any reply as it is. */
type Said = string | string[] | Reply

interface World {
  /** changes the file before it is imported: what its author left open */
  finish?: (source: string) => string
  handlers?: EffectHandler<TerminalContext>[]
  random?: () => number
}

function replyTo(request: InputRequest, said: Said): Reply {
  if (typeof said === 'object' && !Array.isArray(said)) return said
  if (request.input !== 'choice' && request.input !== 'rating') return { type: 'text', text: String(said) }
  const optionIds = [said].flat().map((label) => {
    const option = request.options.find((each) => each.label === label)
    if (option) return option.id
    throw new Error(`There is no button '${label}' among ${request.options.map((each) => each.label).join(', ')}.`)
  })
  return { type: 'choice', optionIds }
}

/** Talks to an imported file. Gives what the bot said, in order, what it asked for, and how it ended. */
async function talk(name: string, replies: Said[], { finish = (source) => source, handlers = [], random }: World = {}) {
  const { flow } = importFlow(finish(typebotSource(name)), registry, createCountingIds('new'))
  const program = createProgram(flow, registry)
  const answer = async (effect: RuntimeEffect): Promise<Json> => {
    if (effect.type === 'random') return random?.() ?? 0
    if (effect.type === 'now') return '2026-11-21T10:00:00.000Z'
    const handler = handlers.find((one) => one.effect.name === effect.service)
    if (!handler) throw new Error(`The flow calls '${effect.service}'.`)
    return handler.answer(effect.request, { idempotencyKey: effect.key, signal, writes: 'real' })
  }
  const { signal } = new AbortController()
  const said: string[] = []
  const requests: InputRequest[] = []
  let session = newSession(program)
  let input: TurnInput = { type: 'start', event: { type: 'start' } }
  for (const reply of [...replies, null]) {
    const steps = turn(program, session, input)
    let step = steps.next()
    while (!step.done) step = steps.next(await answer(step.value))
    session = step.value.session
    expect(step.value.stopped).toBeNull()
    said.push(...step.value.messages.map(worded))
    if (!session.request) break
    requests.push(session.request)
    if (reply === null) break
    input = { type: 'reply', reply: replyTo(session.request, reply) }
  }
  const variables = Object.fromEntries(flow.variables.map(({ id, name }) => [name, session.variables[id]]))
  return { said, requests, status: session.status, variables }
}

/** Keeps mails instead of sending them. */
const mailTo = (sent: unknown[]) =>
  handleEffect(mailEffect).by({
    async carryOut({ body, ...rest }) {
      sent.push({ ...rest, text: (await renderMail({ template: 'flow', body })).text })
      return { ok: true, messageId: '<1@test>', status: 'sent' }
    },
    simulate: 'reads-only',
  })

/** Keeps the addresses that are called, all of which answer nothing. */
const callsTo = (called: string[]) =>
  handleEffect(httpEffect).by({
    async carryOut({ url }) {
      called.push(url)
      return { ...NO_HTTP_ANSWER, ok: true, status: 200 }
    },
    simulate: 'reads-only',
  })

const worded = (message: BotMessage): string =>
  message.kind === 'text'
    ? message.text.map(({ children }) => children.map(({ text }) => text).join('')).join('\n')
    : JSON.stringify(message)

test('lead generation: a visitor leaves name, address, service and needs', async () => {
  const replies = ['Hello!', 'Ada', 'not an address', 'ada@example.com', 'A website', 'A shop']
  const { said, status, variables } = await talk('lead-generation.json', replies)
  expect(status).toBe('ended')
  expect(said).toContain('Good to meet you, Ada')
  expect(said.at(-1)).toBe('A person writes to ada@example.com within a day')
  expect(variables).toMatchObject({ Name: 'Ada', Email: 'ada@example.com', Service: 'A website', More: 'A shop' })
})

test('questions: a visitor reads an answer, comes back to the menu by a jump, and asks another', async () => {
  const replies = ['What does it cost?', 'And for groups?', 'Another question', 'Something else', 'Are dogs allowed?']
  const { said, status } = await talk('questions.json', replies)
  expect(status).toBe('ended')
  expect(said).toContain('From ten people on, every ticket is a fifth cheaper.')
  expect(said.at(-1)).toBe('Somebody answers “Are dogs allowed?” by mail. Bye!')
})

test('lead scoring: points add up, and the score decides about the end', async () => {
  const qualified = await talk('lead-scoring.json', ['Yes', 'Parley', '31', 'Marketing', 'Norway'])
  expect(qualified.variables).toMatchObject({ 'Lead Score': 50, 'Team size': 31, Company: 'Parley' })
  expect([qualified.status, qualified.said.at(-1)]).toEqual(['ended', 'A person calls you this week. 👋'])
  const other = await talk('lead-scoring.json', ['No', 'Product', 'Chile'])
  expect([other.variables['Lead Score'], other.said.at(-1)]).toEqual([20, 'Goodbye 👋'])
})

test('A/B test: chance decides, each path keeps its edge, and files are kept by their addresses', async () => {
  const urls = ['/files/aaaaaaaaaaaaaaaa', '/files/bbbbbbbbbbbbbbbb']
  const files = urls.map((url) => ({ name: 'a.pdf', url, type: 'application/pdf', size: 10 }))
  const replies: Said[] = [{ type: 'files', files }, '+4915112345678', 'https://example.com', '2026-12-01', '9']
  const called: string[] = []
  const way = (chance: number) =>
    talk('every-kind.json', replies, { random: () => chance, handlers: [callsTo(called)] })
  const [second, sameSecond] = [await way(0.9), await way(0.6)]
  expect(second.said).toContain('The second way')
  expect(second.said).not.toContain('The first way')
  expect(sameSecond.said).toEqual(second.said)
  expect(second.variables).toMatchObject({ Files: urls, Day: '2026-12-01', Stars: 9 })
  expect(second.requests.at(-1)).toMatchObject({ input: 'rating', scale: 'numbers' })
  expect(second.said.at(-1)).toBe('How nice!')
  // its sheet has become a block of ours, which calls nobody before an account is chosen
  expect(called).toEqual([])
  expect((await talk('every-kind.json', [], { random: () => 0.1 })).requests).toMatchObject([{ input: 'wait' }])
})

test('pictures: shown as cards, of which those are offered whose condition holds', async () => {
  const offered = async (boat: string) => {
    const { requests } = await talk('boat-insurance.json', ["Let's see", boat, 'Tern', 'Five years or more'])
    const request = requests.at(-1)
    return request?.input === 'choice' ? request.options.map(({ label }) => label) : []
  }
  expect(await offered('Rowing boat')).toEqual(['Storm', 'Theft'])
  expect(await offered('Sailing boat')).toEqual(['Storm', 'Theft', 'Sails'])
  const replies = ["Let's see", 'Motor boat', 'Tern', 'Five years or more', ['Storm', 'Theft'], 'ada@example.com']
  const { said, requests, variables } = await talk('boat-insurance.json', replies)
  expect(requests[1]).toMatchObject({ input: 'choice', shown: 'cards' })
  expect(said).toContain('Tern would be 25 a month.')
  expect(variables.Price).toBe(25)
})

test('HTTP: the answers go to a server, and what it says is kept', async () => {
  const server = await startOutsideServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"lead":{"id":"L-7"}}'),
  )
  const finish = (source: string) => source.replace('https://example.com/leads', `${server.url}/leads`)
  const http = createHttpHandler(createOutboundFetch({ allowed: parseNetworks('127.0.0.1') }), () => new Date(0))
  const replies = ['Ada "the first"', 'ada@example.com', ['A website', 'A film']]
  const { said, status } = await talk('http-lead.json', replies, { finish, handlers: [http] })
  server.close()
  expect(server.received).toMatchObject([{ method: 'POST', path: '/leads', headers: { 'x-source': 'chat' } }])
  expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ email: 'ada@example.com', name: 'Ada "the first"' })
  expect([status, said.at(-1)]).toEqual(['ended', 'Noted as L-7.'])
})

test('email: after the payment, which is a placeholder, the mail goes to who asked for it', async () => {
  const sent: unknown[] = []
  const mail = mailTo(sent)
  const { said } = await talk('digital-product.json', ['I want it', 'ada@example.com'], { handlers: [mail] })
  expect(said).toContain('It is in your mail.')
  const text = expect.stringContaining('here is your chart')
  expect(sent).toMatchObject([{ to: ['ada@example.com'], subject: 'Your chart of the bay ⛵', text }])
})

/** Talks to flows that other people made, where they lie beside the repository. */
const shared = test.skipIf(sharedTypebotFiles.length === 0)

shared('lead gen: a visitor leaves name, email, service and needs', async () => {
  const replies = ['Hi!', 'Ada', 'not an address', 'ada@example.com', 'Website dev', 'A shop']
  const { said, status, variables } = await talk('template__lead-gen.json', replies)
  expect(status).toBe('ended')
  expect(said).toContain('Great! Nice to meet you Ada')
  expect(said.at(-1)).toBe("We'll get back to you at ada@example.com")
  expect(variables).toMatchObject({ Name: 'Ada', Email: 'ada@example.com' })
})

shared('FAQ: a visitor reads an answer, comes back to the menu by a jump, and asks a question', async () => {
  const replies = [
    "What's Analyzr?",
    'Sounds good!',
    'Can I use your tool for free?',
    "What's an event?",
    'Ok, got it!',
  ]
  const { said, status } = await talk('template__faq.json', [
    ...replies,
    'I have another question',
    'Is it on-premise?',
  ])
  expect(status).toBe('ended')
  expect(said).toContain('An event is a user event on your website.')
  expect(said.at(-1)).toBe("Alright, we'll reach out to you very soon. Thank you so much 💙")
})

shared('lead scoring: points add up, and the score decides about the end', async () => {
  const qualified = await talk('template__lead-scoring.json', ['Yes', 'Parley', '31', 'Marketing Officer', 'Norway'])
  expect(qualified.status).toBe('ended')
  expect(qualified.variables).toMatchObject({ 'Lead Score': 50, 'Team size': 31, Company: 'Parley' })
  expect(qualified.said.at(-1)).toBe("We'll get back to you ASAP. 👋")
  const other = await talk('template__lead-scoring.json', ['No', 'Product Owner', 'United States'])
  expect(other.variables).toMatchObject({ 'Lead Score': '10' })
  expect(other.said.at(-1)).toBe('Bye bye 👋')
})

shared('condition: branches that nobody finished do not hold, so the default edge is taken', async () => {
  const { said, status } = await talk('builder-test__logic__condition.json', ['15'])
  expect(status).toBe('ended')
  expect(said).toEqual(['How old are you?', 'You are younger than 20'])
})

shared('A/B test: chance decides, and each path keeps its edge', async () => {
  const say = async (chance: number) =>
    (await talk('builder-test__logic__abTest.json', [], { random: () => chance })).said
  expect(await say(0.1)).toEqual(['Hey', 'How are you?'])
  expect(await say(0.9)).toEqual(['Hey', "What's up?"])
})

shared('files: several are sent, and their addresses are kept', async () => {
  const urls = ['/files/aaaaaaaaaaaaaaaa', '/files/bbbbbbbbbbbbbbbb']
  const files = urls.map((url) => ({ name: 'a.pdf', url, type: 'application/pdf', size: 10 }))
  const { said, status, variables } = await talk('viewer-test__fileUpload.json', ['nothing', { type: 'files', files }])
  expect([status, variables.Files]).toEqual(['ended', urls])
  expect(said).toEqual(['Hey there, upload please', 'Choose a file to send', 'Thank you!'])
})

shared('pictures: shown as cards, the chosen one decides what is added to the price', async () => {
  const start = ["Let's go!", 'Husky', '♀️ Female', 'Laika']
  const { said, requests, status, variables } = await talk('template__dog-insurance-offer.json', [
    ...start,
    '5-10 years',
    '✅ Yes',
    'laika@example.com',
  ])
  expect(requests[4]).toMatchObject({ input: 'choice', shown: 'cards' })
  expect(said.filter((text) => text.includes('images.unsplash.com'))).toHaveLength(1)
  expect([status, variables['Estimated price'], variables.Pronoun]).toEqual(['ended', 25, 'she'])
  const young = await talk('template__dog-insurance-offer.json', [...start, 'Less than 1 year', '❌ No'])
  expect(young.variables['Estimated price']).toBe(25)
})

shared('recommendations: of the pictures only those are offered whose condition holds', async () => {
  const offered = async (goal: string, flavours: string[], diet: string) => {
    const answers = ['Ada', 'Europe', 'Running', 'Other', [goal], ['Cricket-based'], flavours, diet, 'ada@example.com']
    const { said, requests } = await talk('template__product-recommendation.json', answers)
    expect(said).toContain('Unfortunately, cricket-based products are not available in Europe. 😢')
    const request = requests.at(-1)
    return request?.input === 'choice' ? request.options.map(({ label }) => label) : []
  }
  const [nuts, vanilla] = ['Protein Nut Butter', 'Vanilla Protein Powder']
  expect(await offered('Recovery', ['Nuts', 'Lime'], 'Non GMO')).toEqual([nuts, vanilla])
  expect(await offered('Recovery', ['Nuts', 'Lime'], 'Nut free')).toEqual([vanilla])
  expect(await offered('Recovery', ['Lime'], 'Non GMO')).toEqual([vanilla])
  expect(await offered('Hydration', ['Coffee'], 'Non GMO')).toEqual(['Watermelon Energy Drink Mix'])
})

shared('HTTP: the answers go to a server, and what it says is kept', async () => {
  const server = await startOutsideServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"lead":{"id":"L-7"}}'),
  )
  const finish = (source: string) => {
    const file = JSON.parse(source)
    const blocks: { type: string; options: object }[] = file.groups.flatMap(
      (group: { blocks: unknown[] }) => group.blocks,
    )
    const request = blocks.find(({ type }) => type === 'Webhook')
    const webhook = { method: 'POST', url: `${server.url}/leads`, body: '{ "email": "{{Email}}", "name": "{{Name}}" }' }
    const name = file.variables.find((variable: { name: string }) => variable.name === 'Name').id
    const responseVariableMapping = [{ id: 'm', bodyPath: 'data.lead.id', variableId: name }]
    Object.assign(request ?? {}, { options: { webhook, isCustomBody: true, responseVariableMapping } })
    return JSON.stringify(file)
  }
  const http = createHttpHandler(createOutboundFetch({ allowed: parseNetworks('127.0.0.1') }), () => new Date(0))
  const replies = ['Hi!', 'Ada "the first"', 'ada@example.com', ['Website dev', 'UI / UX Design'], 'A shop']
  const { said, status, variables } = await talk('builder-test__api.json', replies, { finish, handlers: [http] })
  server.close()
  expect(said.at(-1)).toBe("We'll get back to you at ada@example.com")
  expect(server.received).toMatchObject([{ method: 'POST', path: '/leads' }])
  expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ email: 'ada@example.com', name: 'Ada "the first"' })
  expect([status, variables.Name]).toEqual(['ended', 'L-7'])
})

shared('email: after the payment, which is a placeholder, the mail goes to who asked for it', async () => {
  const sent: unknown[] = []
  const mail = mailTo(sent)
  // the file leads to a note of its author; it says to lead on to the payment
  const finish = (source: string) => {
    const file = JSON.parse(source)
    const groupOf = (title: string) => file.groups.find((group: { title: string }) => group.title === title)
    const input = groupOf('Email').blocks.at(-1)
    file.edges.find(({ id }: { id: string }) => id === input.outgoingEdgeId).to = { groupId: groupOf('Payment').id }
    return JSON.stringify(file)
  }
  const replies = ['Ada', 'Hell yes!', 'ada@example.com']
  const { said, status } = await talk('template__digital-product-payment.json', replies, {
    finish,
    handlers: [mail],
  })
  expect([status, said.at(-1)]).toEqual(['ended', 'Bye 👋'])
  expect(sent).toMatchObject([
    {
      to: ['ada@example.com'],
      subject: 'Here is your Bullseye Framework template 🎉',
      text: expect.stringContaining('Hey Ada,'),
    },
  ])
})

shared('rating: a scale from one to ten', async () => {
  const { requests, status } = await talk('viewer-test__chat__linkedBot.json', ['7'])
  expect(requests).toMatchObject([{ input: 'rating', scale: 'numbers' }])
  expect(status).toBe('ended')
})

/** Nothing outside answers but the clock. */
const stillClock = ({ type }: RuntimeEffect): Json => (type === 'now' ? '2026-11-21T10:00:00.000Z' : null)

test.each(typebotFiles())('%s runs with a visitor who always takes the first way', (name) => {
  const { flow } = importFlow(typebotSource(name), registry, createCountingIds('new'))
  const visitor: Visitor = (request) => {
    if (request.input === 'choice')
      return { type: 'choice', optionIds: request.options.slice(0, 1).map(({ id }) => id) }
    return { type: 'text', text: request.input === 'email' ? 'ada@example.com' : '7' }
  }
  const { turns } = converse(createProgram(flow, registry), visitor, stillClock, { maxTurns: 100 })
  for (const { stopped, trace } of turns) {
    expect(stopped).toBeNull()
    // a sheet's account is chosen after the import, which its note says
    expect(trace.filter(({ note, kind }) => note && kind !== 'sheet-row')).toEqual([])
  }
  expect(turns.at(-1)?.session.status === 'ended' || turns.length === 100).toBe(true)
})
