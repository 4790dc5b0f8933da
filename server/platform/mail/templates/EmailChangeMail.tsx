import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface EmailChangeMailProps {
  language: InterfaceLanguage
  name: string
  /** to the new address: the link that confirms it; to the old one: where the password is reset */
  link: string
  /** the new address, in the mail to the old one; null in the mail to the new one */
  changedTo: string | null
}

/** Asks to confirm an account's new address; and tells the old one after the change. */
export function EmailChangeMail({ language, name, link, changedTo }: EmailChangeMailProps) {
  const texts = mailTexts(language).emailChange
  if (changedTo)
    return (
      <Layout preview={texts.done.preview} lang={language}>
        <Title>{texts.done.title}</Title>
        <Words>{texts.done.words(name, changedTo)}</Words>
        <Words>{texts.done.notYou}</Words>
      </Layout>
    )
  return (
    <Layout preview={texts.title} lang={language}>
      <Title>{texts.title}</Title>
      <Words>{texts.words(name)}</Words>
      <Action href={link} language={language}>
        {texts.action}
      </Action>
      <Words>{texts.end}</Words>
    </Layout>
  )
}
