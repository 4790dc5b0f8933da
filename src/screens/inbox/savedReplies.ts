/** The variables of saved replies, by the names between their braces. */
export const replyVariables = ['visitor', 'name', 'chatbot'] as const
type Values = Record<(typeof replyVariables)[number], string>

/** A saved reply with its variables replaced; what is none stays as it is. */
export const fillIn = (body: string, values: Values): string =>
  body.replace(/\{\{(\w{1,20})\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof Values] : whole,
  )
