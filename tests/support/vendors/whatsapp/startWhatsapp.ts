import type { WhatsappKeys } from '../../../../server/contracts/whatsapp'
import { type Call, fieldsOf } from '../../../../server/sandbox/call'
import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { startWhatsappStandIn, type WhatsappStandIn } from '../../../../server/sandbox/whatsapp/whatsapp'
import { type Contract, hasContracts, readContract } from '../contract'

const GRAPH_ERROR = { $ref: '#/components/schemas/GraphError' }

/** `GET /v24.0/123`: a number, an account or a file, which have one form of address in the document. */
const isObject = ({ method, path }: Call) => method === 'GET' && /^\/v[\d.]+\/\d+$/.test(path)

/** Templates: the document guesses their form from one example, without examples of places, quality and pages. */
const isTemplates = ({ path }: Call) => /^\/v[\d.]+\/\d+\/message_templates$/.test(path)

/**
 * Files for a profile or a template, tokens, and what they may do: of Meta's Graph interface as a whole, of which the document
 * has WhatsApp's part alone.
 */
const isGeneral = ({ path }: Call) =>
  /^\/v[\d.]+\/(?:\d+\/uploads|upload:.*|debug_token|oauth\/access_token)$/.test(path)

let contract: Contract | undefined

/** @returns the contract of WhatsApp; undefined where there is none beside the repository */
export function whatsappContract(): Contract | undefined {
  if (!hasContracts) return undefined
  if (contract) return contract
  const read = readContract('whatsapp/openapi.json', { additions: { errors: GRAPH_ERROR }, closes: true })
  const ofNumber = (body: unknown) => Object.hasOwn(fieldsOf(body), 'display_phone_number')
  contract = {
    ...read,
    request: (call) => (isObject(call) || isTemplates(call) || isGeneral(call) ? [] : read.request(call)),
    answer: (call, answer) => {
      if ((isTemplates(call) && call.method === 'GET') || isGeneral(call)) return []
      if (!isObject(call)) return read.answer(call, answer)
      return answer.status === 200 && ofNumber(answer.body) ? read.value('PhoneNumberInfo', answer.body) : []
    },
  }
  return contract
}

/** Starts the stand-in of WhatsApp, both of whose sides are checked by the contract where there is one. */
export const startWhatsapp = (options: StandInOptions): Promise<WhatsappStandIn> =>
  startWhatsappStandIn({ contract: whatsappContract(), ...options })

/** What connects a chatbot with the stand-in's number. */
export const keysOf = ({ state }: WhatsappStandIn): WhatsappKeys => ({
  app_id: state.appId,
  app_secret: state.appSecret,
  business_id: state.businessId,
  number_id: state.number.id,
  token: state.token,
  pin: '123456',
})
