import { Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title } from './Action'
import { AnswerTo } from './AnswerTo'
import { Layout } from './Layout'

export interface LeftMessageMailProps {
  language: InterfaceLanguage
  chatbot: string
  name: string
  email: string
  message: string
  /** opens the contacts */
  link: string
}

/** Gives people what a visitor has written while nobody was there. */
export function LeftMessageMail({ language, chatbot, name, email, message, link }: LeftMessageMailProps) {
  const texts = mailTexts(language).leftMessage
  return (
    <Layout preview={message.slice(0, 140)} lang={language}>
      <Title>{texts.title(name, chatbot)}</Title>
      <AnswerTo {...{ language, email }} />
      <Text style={TEXT}>{message}</Text>
      <Action href={link} language={language}>
        {texts.open}
      </Action>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
