import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface PasswordChangedMailProps {
  language: InterfaceLanguage
  name: string
  /** where a new password is requested */
  link: string
}

/** Notifies somebody of a password change, in case it was not them. */
export function PasswordChangedMail({ language, name, link }: PasswordChangedMailProps) {
  const texts = mailTexts(language).passwordChanged
  return (
    <Layout preview={texts.title} lang={language}>
      <Title>{texts.title}</Title>
      <Words>{texts.words(name)}</Words>
      <Words>{texts.notYou}</Words>
      <Action href={link} language={language}>
        {texts.action}
      </Action>
    </Layout>
  )
}
