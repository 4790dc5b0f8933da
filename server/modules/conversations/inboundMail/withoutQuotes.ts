/** The line before a mail that is quoted whole, in mail programs of several languages. */
const WHOLE =
  /^\s*(?:-{2,}\s*(?:original message|original-nachricht|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|forwarded message|原始邮件|исходное сообщение)\s*-{2,}|_{10,})\s*$/i
/** The fields of such a mail, one a line: its sender, and then when it was sent or to whom. */
const SENDER = /^\s*\*?(?:from|von|de|da|van|från|fra|od|от|发件人|差出人|보낸 사람)\s?:\*?\s.{0,300}$/i
const FIELD =
  /^\s*\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|assunto|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|wysłano|do|temat|отправлено|кому|тема|发送时间|收件人|主题)\s?:/i
const QUOTED = /^\s*>/
/** The beginning of a signature (RFC 3676, 4.3). */
const SIGNATURE = /^-- ?$/

/**
 * What the writer of a mail says, without the mails that it quotes and without a signature; the whole text if nothing
 * else is there.
 */
export function withoutQuotes(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const end = lines.findIndex((line, at) => WHOLE.test(line) || SIGNATURE.test(line) || beginsFields(lines, at))
  const own = end < 0 ? lines : lines.slice(0, end)
  const kept = own.filter((line, at) => !QUOTED.test(line) && !isAttribution(own, at))
  const said = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return said || text.trim()
}

const beginsFields = (lines: readonly string[], at: number): boolean =>
  SENDER.test(lines[at] ?? '') && lines.slice(at + 1, at + 4).some((line) => FIELD.test(line))

/** Lines before a quotation that say who wrote it: up to two, which end with a colon and name a time or an address. */
function isAttribution(lines: readonly string[], at: number): boolean {
  if ((lines[at] ?? '').trim() === '') return false
  const rest = lines.slice(at, at + 4)
  const last = rest.findIndex((line) => /[:：]\s*$/.test(line))
  if (last < 0 || last > 1 || rest.slice(0, last + 1).some((line) => line.trim() === '' || QUOTED.test(line)))
    return false
  // a copy of the rest for each line would take the square of their number
  let next = at + last + 1
  while (next < lines.length && lines[next]?.trim() === '') next++
  if (!QUOTED.test(lines[next] ?? '')) return false
  const said = rest.slice(0, last + 1).join(' ')
  return said.length < 400 && (/@/.test(said) || /\d{1,2}[:.]\d{2}|\d{4}/.test(said))
}
