import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface WeeklyQuestionMailProps {
  language: InterfaceLanguage
  /** who wants to share the figures */
  person: string
  /** the chatbot, or the project */
  about: string
  days: number
  /** null: the reader of this copy must not see it */
  link: string | null
}

/** Asks somebody without an account whether they want the figures of each week by mail. */
export function WeeklyQuestionMail({ language, person, about, days, link }: WeeklyQuestionMailProps) {
  const texts = mailTexts(language).weekly.question
  const title = texts.title(person, about)
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Words>{texts.words}</Words>
      {link === null ? (
        <Words>{texts.hidden}</Words>
      ) : (
        <Action href={link} language={language}>
          {texts.accept}
        </Action>
      )}
      <Words>{texts.expires(days)}</Words>
    </Layout>
  )
}
