import { z } from 'zod'
import { bookingCaps } from './bookings'
import { actionCaps, caps, tooLong } from './caps'
import { isTimeZone } from './date'
import { agentInputProblem } from './entryRules'
import { extractTypes } from './extractFields'
import { ANY_VALUE, jsonProblem } from './jsonProblem'
import { replacePlaceholders } from './placeholders'
import { parseBookingLink, ruleMessages } from './rules'
import { isExternalUrl } from './url'

/**
 * What an agent may do besides answering (PRODUCT.md, agent actions). Tools of MCP servers are no kind: they are not
 * configured here.
 */
export const actionKinds = [
  'buttons',
  'lead-form',
  'http-request',
  'send-email',
  'booking',
  'appointment',
  'hand-off',
] as const
export type ActionKind = (typeof actionKinds)[number]

export const actionFrequencies = ['once', 'always'] as const
export type ActionFrequency = (typeof actionFrequencies)[number]

export const actionMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Fields of the lead form (SPEC.md 3). */
export const leadFields = [
  'name',
  'email',
  'phone_number',
  'company_name',
  'job_title',
  'website_url',
  'address',
  'city',
  'state',
  'country',
  'zip',
] as const
export type LeadField = (typeof leadFields)[number]

/** Counts; ours, where SPEC.md 5 and 9 give none. */
export const actionCounts = { parameters: 20, choices: 50, buttons: 5, headers: 20, addresses: 5, actions: 50 } as const
export const actionLengths = {
  ...actionCaps,
  choice: caps.formChoice,
  text: caps.cardTitle,
  message: 500,
  header: 250,
  headerValue: 3_000,
  address: caps.mailAddress,
  prefill: 255,
  phonePrefill: 35,
} as const

export const BOOKING_HOST = 'calendly.com'
export const actionMessages = {
  booking: `Enter a valid booking link (such as https://${BOOKING_HOST}/your-name/30min)`,
  host: 'Write out the host name. A {{placeholder}} can only follow it',
  header: 'Enter a valid header name (letters, digits and hyphens)',
  headerTwice: 'This header already exists',
  parameterTwice: 'There is another parameter of this name',
  parameterName: 'Use letters, digits, underscores and spaces',
  choices: 'Add a choice',
  leadKey: 'Require the email or the phone number: a contact is found again by one of them',
  fieldTwice: 'This field already exists',
  connection: 'Choose an account',
  eventType: 'Choose what is booked',
  timeZone: 'Enter a time zone such as Europe/Berlin',
} as const

const required = (max: number) => z.string().trim().min(1, ruleMessages.text).max(max, tooLong(max))
const optional = (max: number) => z.string().trim().max(max, tooLong(max))

/** An address whose host contains no placeholder: what a model fills in must not redirect a call elsewhere. */
const address = required(actionLengths.url).superRefine((url, { addIssue }) => {
  if (url === '') return
  if (!isExternalUrl(url)) return addIssue({ code: 'custom', message: ruleMessages.url })
  if (!/^https?:\/\/[^/?#{}@]+(?:[/?#]|$)/i.test(url)) return addIssue({ code: 'custom', message: actionMessages.host })
  if (/\s/.test(replacePlaceholders(url, () => 'x'))) addIssue({ code: 'custom', message: ruleMessages.url })
})

/** An email input needs a valid email unless it contains a placeholder; its length has a message of its own. */
const isMailAddress = (text: string) =>
  text === '' || agentInputProblem(text, { type: 'email', max: text.length }) === null
const mailAddress = required(actionLengths.address).refine(isMailAddress, { message: ruleMessages.email })

export const parameterSchema = z
  .strictObject({
    name: required(actionLengths.variableName).regex(/^[\p{L}\p{N}_ ]*$/u, actionMessages.parameterName),
    type: z.enum(extractTypes),
    /** tells the model what to fill in */
    description: optional(actionLengths.description),
    required: z.boolean(),
    /** only for the type `choice` */
    choices: z.array(required(actionLengths.choice)).max(actionCounts.choices),
  })
  .superRefine(({ type, choices }, { addIssue }) => {
    if (type === 'choice' && choices.length === 0)
      addIssue({ code: 'custom', path: ['choices'], message: actionMessages.choices })
  })
export type ActionParameter = z.infer<typeof parameterSchema>

const buttonsConfig = z.strictObject({
  /** above the buttons */
  text: optional(actionLengths.text),
  buttons: z
    .array(z.strictObject({ label: required(actionLengths.buttonLabel), url: address }))
    .min(1, ruleMessages.text)
    .max(actionCounts.buttons),
})
const leadFormConfig = z
  .strictObject({
    title: optional(actionLengths.text),
    submit_label: required(actionLengths.buttonLabel),
    fields: z
      .array(
        z.strictObject({ field: z.enum(leadFields), required: z.boolean(), prefill: optional(actionLengths.prefill) }),
      )
      .min(1, ruleMessages.text)
      .max(leadFields.length),
    /** shown after it is sent */
    thanks: optional(actionLengths.message),
  })
  .superRefine(({ fields }, { addIssue }) => {
    for (const [at, { field }] of fields.entries())
      if (fields.findIndex((each) => each.field === field) < at)
        addIssue({ code: 'custom', path: ['fields', at, 'field'], message: actionMessages.fieldTwice })
    const isKey = ({ field, ...rest }: (typeof fields)[number]) =>
      (field === 'email' || field === 'phone_number') && rest.required
    if (fields.length > 0 && !fields.some(isKey))
      addIssue({ code: 'custom', path: ['fields'], message: actionMessages.leadKey })
  })
const httpConfig = z
  .strictObject({
    method: z.enum(actionMethods),
    url: address,
    headers: z
      .array(
        z.strictObject({
          name: required(actionLengths.header).regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/, actionMessages.header),
          value: optional(actionLengths.headerValue),
          /** the last characters of a stored value that is not shown; an empty `value` keeps the stored one */
          kept: z.string().max(5).optional(),
        }),
      )
      .max(actionCounts.headers),
    /** JSON; empty: none */
    body: optional(actionLengths.jsonBody),
  })
  .superRefine(({ body, headers }, { addIssue }) => {
    const problem = body === '' ? null : jsonProblem(replacePlaceholders(body, () => ANY_VALUE))
    if (problem) addIssue({ code: 'custom', path: ['body'], message: problem })
    for (const [at, { name }] of headers.entries())
      if (headers.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()) < at)
        addIssue({ code: 'custom', path: ['headers', at, 'name'], message: actionMessages.headerTwice })
  })
const mailConfig = z.strictObject({
  from_name: optional(actionLengths.address),
  to: z.array(mailAddress).min(1, ruleMessages.text).max(actionCounts.addresses),
  reply_to: optional(actionLengths.address).refine(isMailAddress, { message: ruleMessages.email }),
  subject: required(actionLengths.mailSubject),
  message: required(actionLengths.mailMessage),
})
const bookingConfig = z.strictObject({
  url: required(actionLengths.url).refine((url) => url === '' || parseBookingLink(url, BOOKING_HOST) !== null, {
    message: actionMessages.booking,
  }),
  label: required(actionLengths.buttonLabel),
  /** values that prefill the page */
  name: optional(actionLengths.prefill),
  email: optional(actionLengths.prefill).refine(isMailAddress, { message: ruleMessages.email }),
  phone: optional(actionLengths.phonePrefill),
})
/** Books from the times that are free at Calendly, instead of leading to its page. */
const appointmentConfig = z.strictObject({
  /** one of the project's connections */
  connection: z.string().min(1, actionMessages.connection).max(64),
  /** with the name that it had when it was chosen */
  event_type: z.strictObject({ id: z.string().min(1, actionMessages.eventType).max(500), name: z.string().max(500) }),
  /** in which times are told, unless the visitor says another one */
  time_zone: required(bookingCaps.timeZone).refine((zone) => zone === '' || isTimeZone(zone), {
    message: actionMessages.timeZone,
  }),
  /** of the button to Calendly's page, where a time can't be booked otherwise */
  link_label: required(actionLengths.buttonLabel),
  /** of the buttons for who has booked */
  reschedule_label: required(actionLengths.buttonLabel),
  cancel_label: required(actionLengths.buttonLabel),
})
const handOffConfig = z.strictObject({
  team: optional(actionLengths.prefill),
  /** for the person who takes over */
  note: optional(actionLengths.message),
  /** for the visitor, while waiting for a person */
  message: optional(actionLengths.message),
})

export const actionConfigs = {
  buttons: buttonsConfig,
  'lead-form': leadFormConfig,
  'http-request': httpConfig,
  'send-email': mailConfig,
  booking: bookingConfig,
  appointment: appointmentConfig,
  'hand-off': handOffConfig,
} as const satisfies Record<ActionKind, z.ZodType>
export type ActionConfig<Kind extends ActionKind> = z.infer<(typeof actionConfigs)[Kind]>

const parameters = z
  .array(parameterSchema)
  .max(actionCounts.parameters)
  .superRefine((all, { addIssue }) => {
    const key = (name: string) => name.trim().toLowerCase()
    for (const [at, { name }] of all.entries())
      if (all.findIndex((each) => key(each.name) === key(name)) < at)
        addIssue({ code: 'custom', path: [at, 'name'], message: actionMessages.parameterTwice })
  })

/** Fields of every action. */
const common = {
  name: required(actionLengths.name),
  /** when the model should use it */
  description: required(actionLengths.description),
  frequency: z.enum(actionFrequencies),
  parameters,
  /**
   * the name under which its response is stored, for other actions and the flow's variable of that name; null: not
   * stored
   */
  save_to: required(actionLengths.variableName)
    .regex(/^[\p{L}\p{N}_ ]*$/u, actionMessages.parameterName)
    .nullable(),
  enabled: z.boolean(),
}
const withConfig = <Kind extends ActionKind>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), ...common, config: actionConfigs[kind] })

/** An action as entered in the form. */
export const agentActionSchema = z.discriminatedUnion('kind', [
  withConfig('buttons'),
  withConfig('lead-form'),
  withConfig('http-request'),
  withConfig('send-email'),
  withConfig('booking'),
  withConfig('appointment'),
  withConfig('hand-off'),
])
export type AgentAction = z.infer<typeof agentActionSchema>

const optionalText: Pick<ActionParameter, 'type' | 'required' | 'choices'> = {
  type: 'text',
  required: false,
  choices: [],
}
/** What a model gives to book; the same for every appointment. */
const appointmentParameters: readonly ActionParameter[] = [
  {
    ...{ ...optionalText, name: 'from' },
    description:
      'Lists free times from then on: a date as YYYY-MM-DD, or what an earlier list says under more or next_day.',
  },
  { ...optionalText, name: 'start', description: 'To book: the start of a listed time, exactly as it was listed.' },
  { ...optionalText, name: 'name', description: 'To book: the visitor’s name.' },
  { ...optionalText, name: 'email', type: 'email', description: 'To book: the visitor’s email address.' },
  { ...optionalText, name: 'phone', type: 'phone', description: 'To book: for a reminder, if the visitor wants one.' },
  {
    ...{ ...optionalText, name: 'time_zone' },
    description: 'The visitor’s time zone, such as Europe/Berlin. Only if you know it.',
  },
]

/** What a model gives when it uses an action. */
export const parametersOf = ({ kind, parameters }: Pick<AgentAction, 'kind' | 'parameters'>) =>
  kind === 'appointment' ? appointmentParameters : parameters
