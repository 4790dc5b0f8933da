import { Hr, Link, Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailNumber, mailTexts } from '../texts/mailTexts'
import { Action, Title } from './Action'
import { Layout } from './Layout'

export interface NotificationsMailProps {
  /** in which its title and lines are */
  language: InterfaceLanguage
  title: string
  /** what happened, the newest first */
  lines: readonly { text: string /** the chatbot; '' if there is none */; where: string; link: string }[]
  /** how many more there are than lines */
  more: number
  /** opens the place where all of them are shown */
  link: string
  /** opens the settings of these mails; null: the recipient has none */
  settings: string | null
}

/**
 * Tells a member what happened in a project since the last such mail, or an address of a new contact or conversation.
 */
export function NotificationsMail({ language, title, lines, more, link, settings }: NotificationsMailProps) {
  const texts = mailTexts(language)
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Hr style={{ margin: '16px 0' }} />
      {lines.map(({ text, where, link: to }) => (
        <Text key={`${to} ${text}`} style={TEXT}>
          <Link href={to} style={{ color: '#0f766e' }}>
            {text}
          </Link>
          {where !== '' && <span style={{ color: '#5c5e59' }}>{texts.notifications.where(where)}</span>}
        </Text>
      ))}
      {more > 0 && <Text style={QUIET}>{texts.notifications.more(mailNumber(language, more))}</Text>}
      <Action href={link} language={language}>
        {texts.openProject}
      </Action>
      {settings !== null && (
        <Text style={QUIET}>
          {texts.notifications.choose} <Link href={settings}>{texts.notifications.settings}</Link>.
        </Text>
      )}
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px' } as const
const QUIET = { ...TEXT, fontSize: 13, color: '#5c5e59' } as const
