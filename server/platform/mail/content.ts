import { caps, tooLong } from '../../../engine/values/caps'
import { cleanText } from '../../../engine/values/cleanText'
import { parseEmail, ruleMessages } from '../../../engine/values/rules'

/** A mail before it is sent; nothing in it can break a header. */
export interface MailContent {
  fromName: string
  to: string[]
  cc: string[]
  bcc: string[]
  replyTo: string[]
  subject: string
}

/** PRODUCT.md: at most five in each of the fields. */
const MAX_ADDRESSES = 5

/**
 * Sanitizes a block's mail for use in headers: line breaks and other control characters become spaces, so that no
 * visitor can add a header; every address is a single address.
 * @returns the content, and the first problem; if there is one, it must not be sent
 */
export function checkContent(request: MailContent): { content: MailContent; problem: string | null } {
  const problems = request.to.length === 0 ? ['The email has no recipient.'] : []
  const checked = (list: string[]) =>
    list.map((text) => {
      const address = parseEmail(text, caps.mailAddress)
      const plain = address !== null && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(address)
      if (!plain) problems.push(`${ruleMessages.email}: '${oneLine(text).slice(0, 80)}'`)
      return plain ? address : oneLine(text).slice(0, caps.mailAddress)
    })
  for (const list of [request.to, request.cc, request.bcc, request.replyTo]) {
    if (list.length > MAX_ADDRESSES) problems.push(`At most ${MAX_ADDRESSES} addresses are possible in a field.`)
  }
  const content = {
    fromName: oneLine(request.fromName),
    to: checked(request.to),
    cc: checked(request.cc),
    bcc: checked(request.bcc),
    replyTo: checked(request.replyTo),
    subject: oneLine(request.subject),
  }
  if (content.fromName.length > caps.mailAddress) problems.push(`From name: ${tooLong(caps.mailAddress)}`)
  if (content.subject.length > caps.mailSubject) problems.push(`Subject: ${tooLong(caps.mailSubject)}`)
  return { content, problem: problems[0] ?? null }
}

/** On one line, without invisible characters, except for joiners, which scripts and emoji need. */
const oneLine = (text: string): string =>
  cleanText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
