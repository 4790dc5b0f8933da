import { Link, Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'

/** Where a visitor is answered, for whom a mail came that goes back to the visitor. */
export function AnswerTo({ language, email }: { language: InterfaceLanguage; email: string }) {
  const [before, after] = mailTexts(language).handOff.answerTo
  return (
    <Text style={{ margin: '0 0 8px', fontSize: 15, lineHeight: '22px' }}>
      {before} <Link href={`mailto:${email}`}>{email}</Link>
      {after}
    </Text>
  )
}
