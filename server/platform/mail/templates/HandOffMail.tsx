import { Hr, Section, Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title } from './Action'
import { AnswerTo } from './AnswerTo'
import { Layout } from './Layout'

export interface HandOffMailProps {
  language: InterfaceLanguage
  chatbot: string
  team: string
  note: string
  /** where the visitor is answered; null: no address is known */
  email: string | null
  /** the visitor's last question; empty: none in their own words */
  question: string
  messages: readonly { who: 'Visitor' | 'Bot'; text: string }[]
  /** earlier messages were left out */
  cut: boolean
  /** opens the conversation */
  link: string
  /** false: what the visitor has added since the first mail */
  isFirst: boolean
}

/** Passes a visitor's conversation to people who answer by mail, or what the visitor has added to it. */
export function HandOffMail(props: HandOffMailProps) {
  const { language, chatbot, team, note, email, question, messages, cut, link, isFirst } = props
  const texts = mailTexts(language).handOff
  return (
    <Layout preview={(question || note).slice(0, 140)} lang={language}>
      <Title>{isFirst ? texts.needed(chatbot) : texts.added(chatbot)}</Title>
      {email === null ? <Text style={TEXT}>{texts.noAddress}</Text> : <AnswerTo {...{ language, email }} />}
      {isFirst && question !== '' && (
        <Text style={TEXT}>
          <strong>{texts.question}</strong> {question}
        </Text>
      )}
      {team !== '' && <Text style={TEXT}>{texts.team(team)}</Text>}
      {isFirst && note !== '' && <Text style={TEXT}>{note}</Text>}
      <Action href={link} language={language}>
        {texts.open}
      </Action>
      <Hr style={{ margin: '0 0 16px' }} />
      <Section>
        {cut && <Text style={TEXT}>{texts.cut}</Text>}
        {messages.map(({ who, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <Text key={index} style={TEXT}>
            <strong>{texts.who[who]}:</strong> {text}
          </Text>
        ))}
      </Section>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
