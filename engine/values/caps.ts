/** Character caps of fields that several kinds share (SPEC.md 5 and 9); `alt`, `pattern` and `caption` are ours. */
export const caps = {
  text: 20_000,
  url: 2_048,
  alt: 500,
  caption: 1_024,
  label: 75,
  cardTitle: 150,
  cardDescription: 500,
  quickReply: 250,
  formLabel: 100,
  formChoice: 255,
  optionValue: 3_000,
  setVariable: 3_000,
  placeholder: 30,
  userMessage: 20_000,
  email: 320,
  comparison: 3_000,
  pattern: 500,
  mailAddress: 255,
  mailSubject: 988,
  requester: 255,
  ticketSubject: 255,
  phone: 20,
  satisfaction: 350,
} as const

/** What visitors may type (SPEC.md 9, chatbot user inputs; text is `caps.userMessage`). */
export const visitorCaps = { email: 320, url: 500, phone: 25 } as const

/** Fields of a contact (SPEC.md 9, user info). */
export const contactCaps = {
  userId: 36,
  name: 255,
  email: 320,
  phone: 50,
  company: 100,
  jobTitle: 100,
  website: 2_083,
  industry: 100,
  address: 255,
  city: 85,
  state: 50,
  country: 56,
  zip: 20,
} as const

/** Tools that a model may call (SPEC.md 9, agent actions). */
export const actionCaps = {
  name: 64,
  description: 500,
  buttonLabel: 50,
  url: 2_048,
  jsonBody: 5_000,
  mailMessage: 5_000,
  mailSubject: 255,
  variableName: 50,
} as const

/** Counts that keep blocks drawable and turns short; ours. */
export const counts = {
  options: 100,
  branches: 100,
  comparisons: 50,
  attempts: 10,
  quickReplies: 13,
  intents: 50,
  formFields: 50,
  formChoices: 100,
  files: 20,
} as const

/** The longest wait of a conversation, in seconds: 30 days. */
export const LONGEST_WAIT = 30 * 24 * 3600

export const tooLong = (max: number): string => `Must not exceed ${max} characters`
export const tooShort = (min: number): string => `Must be at least ${min} characters`
