import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface RegistrationMailProps {
  language: InterfaceLanguage
  link: string
  /** an account with this address exists, and the link leads to the login page */
  known: boolean
}

/** Sent when somebody registers an address: only the reader of its mailbox learns whether it has an account. */
export function RegistrationMail({ language, link, known }: RegistrationMailProps) {
  const texts = mailTexts(language).registration
  const said = known ? texts.known : texts
  return (
    <Layout preview={said.preview} lang={language}>
      <Title>{said.title}</Title>
      <Words>{texts.words}</Words>
      {known && <Words>{texts.known.words}</Words>}
      <Action href={link} language={language}>
        {known ? texts.known.action : texts.title}
      </Action>
      <Words>{said.end}</Words>
    </Layout>
  )
}
