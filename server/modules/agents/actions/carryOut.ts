import { resultOf } from '../../../../engine/effects/defineEffect'
import { handOffEffect } from '../../../../engine/effects/handOff'
import type { ActionConfig, AgentAction } from '../../../../engine/values/agentActions'
import type { Json } from '../../../../engine/values/json'
import { jsonProblem } from '../../../../engine/values/jsonProblem'
import { placeholderValue } from '../../../../engine/values/placeholders'
import { renderHeader, renderJson, renderUrl } from '../../../../engine/values/places'
import { renderText, type Variables } from '../../../../engine/values/render'
import { plainRichText } from '../../../../engine/values/richText'
import type { Config } from '../../../platform/config/config'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import type { OutboundFetch } from '../../../platform/outbound/outboundFetch'
import { readsOnlyByMethod, sendHttpCall } from '../../flows/httpRequest/httpHandler'
import type { HandOffHandler } from '../../handOff/handOffHandler'
import type { Mail, Mailer } from '../../mails/createMailer'
import { shownMail } from '../../mails/testEffect'
import type { ActionCall, Outcome } from './actionCall'
import { capped, toolLimits } from './agentTool'
import { appointment, type Bookings } from './appointment'

/** The services that actions use, the same as blocks. */
export interface ActionServices {
  fetchOutbound: OutboundFetch
  /** the private networks that a project has opened */
  networksOf: (projectId: string) => Promise<readonly AllowedNetwork[]>
  send: Mailer
  handOff: HandOffHandler
  bookings: Bookings
  config: Pick<Config, 'mailFrom'>
  clock: () => Date
}

type Run = () => Promise<Outcome> | Outcome
/** How an action is carried out. Each kind declares what it does in a test that changes nothing outside. */
interface Way {
  carryOut: Run
  /** the same without changing anything outside; `changes-nothing`: it only shows something to the visitor */
  simulate: Run | 'changes-nothing'
}

/**
 * Carries out an action with its placeholders replaced, each value escaped for its place; simulated in a test that
 * changes nothing outside. Never throws for invalid input or failures outside; the database may.
 */
export function carryOut(
  services: ActionServices,
  action: AgentAction,
  values: Variables,
  call: ActionCall,
): Promise<Outcome> | Outcome {
  const way = wayOf(services, action, values, call)
  return call.writes === 'simulated' && way.simulate !== 'changes-nothing' ? way.simulate() : way.carryOut()
}

function wayOf(services: ActionServices, action: AgentAction, values: Variables, call: ActionCall): Way {
  switch (action.kind) {
    case 'buttons':
      return { carryOut: () => showButtons(action.config, values), simulate: 'changes-nothing' }
    case 'booking':
      return { carryOut: () => showBooking(action.config, values, call), simulate: 'changes-nothing' }
    case 'lead-form':
      return { carryOut: () => showLeadForm(action.config, values, call), simulate: 'changes-nothing' }
    case 'http-request':
      return sendRequest(services, action.config, values, call)
    case 'send-email':
      return sendMail(services, action.config, values, call)
    case 'appointment': {
      // the handler tells a test from a visitor
      const run = () => appointment(services.bookings, action.config, values, call)
      return { carryOut: run, simulate: run }
    }
    case 'hand-off': {
      const run = () => handOver(services, action.config, values, call)
      return { carryOut: run, simulate: run }
    }
  }
}

const text = (template: string, values: Variables): string => renderText(placeholderValue(template), values).trim()

const failed = (error: string, detail = error): Outcome => ({ ok: false, answer: { ok: false, error }, detail })

const CLIMBS = 'What stands for a placeholder in the address is “..”, which would lead to another place.'

function showButtons({ text: above, buttons }: ActionConfig<'buttons'>, values: Variables): Outcome {
  const shown: { label: string; url: string }[] = []
  for (const { label, url } of buttons) {
    const address = renderUrl(placeholderValue(url), values)
    if (address === null) return failed(CLIMBS)
    shown.push({ label: text(label, values), url: address })
  }
  return {
    ok: true,
    answer: {
      ok: true,
      shown: 'The visitor sees these buttons below your answer.',
      labels: shown.map((each) => each.label),
    },
    detail: `Shown: ${shown.map(({ label, url }) => `${label} (${url})`).join(', ')}`,
    parts: [{ type: 'buttons', text: text(above, values), buttons: shown }],
  }
}

/**
 * The booking page prefills its form from the address. What goes along as `utm_content` comes back with the booking, by
 * which a connected account's webhook finds the conversation.
 */
function showBooking(config: ActionConfig<'booking'>, values: Variables, { call }: ActionCall): Outcome {
  const url = new URL(config.url)
  const known = { name: config.name, email: config.email, location: config.phone }
  for (const [name, template] of Object.entries(known)) {
    const value = text(template, values).slice(0, name === 'location' ? 35 : 255)
    if (value !== '') url.searchParams.set(name, value)
  }
  if (call) {
    url.searchParams.set('utm_source', 'parley')
    url.searchParams.set('utm_content', call.conversation.gid)
  }
  return {
    ok: true,
    answer: { ok: true, shown: 'The visitor sees a button to the booking page below your answer.' },
    detail: `Shown: ${config.url}`,
    parts: [{ type: 'booking', label: text(config.label, values), url: url.href }],
    saved: url.href,
  }
}

function showLeadForm(config: ActionConfig<'lead-form'>, values: Variables, { labels }: ActionCall): Outcome {
  const fields = config.fields.map(({ field, required, prefill }) => ({
    field,
    ...(labels && { label: labels[field] }),
    required,
    value: text(prefill, values).slice(0, 255),
  }))
  return {
    ok: true,
    answer: { ok: true, shown: 'The visitor sees a form below your answer. What is entered there you are not told.' },
    detail: `Asked for: ${fields.map(({ field }) => field).join(', ')}`,
    parts: [
      {
        type: 'lead-form',
        title: text(config.title, values),
        submit_label: text(config.submit_label, values),
        fields,
        thanks: text(config.thanks, values),
      },
    ],
  }
}

function sendRequest(
  { fetchOutbound, networksOf, clock }: ActionServices,
  { method, url, headers, body }: ActionConfig<'http-request'>,
  values: Variables,
  { projectId, key, signal, writes }: ActionCall,
): Way {
  const address = renderUrl(placeholderValue(url), values)
  if (address === null) return impossible(failed(CLIMBS))
  const json = body === '' || method === 'GET' ? null : renderJson(placeholderValue(body), values)
  const problem = json === null ? null : jsonProblem(json)
  if (problem) return impossible(failed(`The body can’t be sent. ${problem}`))
  // its query and body may contain a key, and testers may not be editors
  const [shown = ''] = address.split(/[?#]/, 1)
  const place = `${method} ${shown}`
  const effect = { type: 'http', method, url: shown, body: null } as const

  const send = async (): Promise<Outcome> => {
    const answer = await sendHttpCall(
      fetchOutbound,
      clock,
      {
        method,
        url: address,
        query: [],
        headers: headers.map(({ name, value }) => [name, renderHeader(placeholderValue(value), values)]),
        auth: null,
        body: json === null ? null : { type: 'json', text: json },
        timeoutMs: toolLimits.ms,
        followRedirects: true,
      },
      {
        key,
        isTest: writes !== 'real',
        signal,
        secretHeaders: headers.map(({ name }) => name),
        allowed: await networksOf(projectId),
      },
    )
    const { ok, status, error, note, ms } = answer
    const landed = writes === 'marked' && status !== null && !readsOnlyByMethod(method)
    return {
      ok,
      answer: {
        ok,
        status,
        ...(error !== undefined && { error }),
        ...(note !== undefined && { note }),
        body: answer.body,
      },
      detail: `${place}: ${status === null ? error : `status ${status}`} in ${ms} ms. ${excerpt(answer.body)}`.trim(),
      ...(ok && { saved: capped(answer.body) }),
      ...(landed && { effect: { ...effect, carriedOut: true, answeredBy: null } }),
    }
  }
  const simulate = (): Outcome => ({
    ok: true,
    answer: { ok: true, status: 200, note: 'Preview: the request was not sent.', body: null },
    detail: `${place}: not sent, since this is a test.`,
    saved: null,
    effect: { ...effect, carriedOut: false, answeredBy: 'nothing' },
  })
  return { carryOut: send, simulate: readsOnlyByMethod(method) ? send : simulate }
}

/** An impossible action is reported in a test, too. */
const impossible = (outcome: Outcome): Way => ({ carryOut: () => outcome, simulate: () => outcome })

const excerpt = (body: Json): string => {
  const words = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return words.length > 500 ? `${words.slice(0, 500)}…` : words
}

function sendMail(
  { send, config: server }: ActionServices,
  config: ActionConfig<'send-email'>,
  values: Variables,
  { projectId, call, key, writes }: ActionCall,
): Way {
  // one address per field: a placeholder's value must not add recipients
  const to = config.to.map((address) => text(address, values))
  const replyTo = text(config.reply_to, values)
  const mail: Mail = {
    projectId,
    conversationId: call?.conversation.id ?? null,
    key,
    purpose: 'flow',
    fromName: text(config.from_name, values),
    to,
    cc: [],
    bcc: [],
    replyTo: replyTo === '' ? [] : [replyTo],
    subject: text(config.subject, values),
    body: { template: 'flow', body: plainRichText(text(config.message, values)) },
    test: writes !== 'real',
  }
  const answer = { ok: true, answer: { ok: true, sent: true }, saved: true }
  const notSent = (error: string) => failed(error, `Not sent to ${to.join(', ')}: ${error}`)
  return {
    async carryOut() {
      const sent = await send(mail)
      if (!sent.ok) return notSent(sent.error)
      const where = sent.status === 'outbox' ? 'There is no mail server: it lies in the outbox.' : 'Sent.'
      const effect = writes === 'marked' ? await shownMail(server, mail, true) : null
      return { ...answer, detail: `${where} To ${to.join(', ')}`, ...(effect && !('problem' in effect) && { effect }) }
    },
    async simulate() {
      const effect = await shownMail(server, mail, false)
      if ('problem' in effect) return notSent(effect.problem)
      return { ...answer, detail: `Not sent to ${to.join(', ')}, since this is a test.`, effect }
    },
  }
}

/** Instruction for the model after a hand-off. */
const HANDED_OVER =
  'The conversation goes to the team by email, and they answer by email later. Say so in a sentence; do not say that somebody joins this chat.'

async function handOver(
  { handOff }: ActionServices,
  config: ActionConfig<'hand-off'>,
  values: Variables,
  { projectId, call, key }: ActionCall,
): Promise<Outcome> {
  const request = { team: text(config.team, values), note: text(config.note, values) }
  const part = { type: 'hand-off', message: text(config.message, values), ...request } as const
  const answer = { ok: true, told: HANDED_OVER }
  if (call === null) {
    const detail = 'In a conversation the team gets it by mail; here nobody is told.'
    return { ok: true, answer, detail, parts: [part] }
  }
  // the block hands over after it has the visitor's address: here only the possibility is checked
  const asked = { ...request, asked: true }
  const context = { project: { id: projectId }, ...call, idempotencyKey: key, writes: 'simulated' } as const
  const result = resultOf(handOffEffect, await handOff.answer(asked, context))
  if (!result.ok)
    return failed(
      result.error === 'nobody-available' ? 'Nobody is available now. Say so, and go on yourself.' : result.error,
    )
  return { ok: true, answer, detail: 'The conversation goes to the team.', parts: [part], saved: true }
}
