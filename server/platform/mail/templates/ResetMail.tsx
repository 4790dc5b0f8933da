import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface ResetMailProps {
  language: InterfaceLanguage
  name: string
  link: string
}

/** Lets somebody who forgot the password set a new one. */
export function ResetMail({ language, name, link }: ResetMailProps) {
  const texts = mailTexts(language).reset
  return (
    <Layout preview={texts.preview} lang={language}>
      <Title>{texts.title}</Title>
      <Words>{texts.words(name)}</Words>
      <Action href={link} language={language}>
        {texts.title}
      </Action>
      <Words>{texts.end}</Words>
    </Layout>
  )
}
