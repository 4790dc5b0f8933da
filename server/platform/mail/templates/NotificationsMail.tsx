import { Hr, Link, Text } from '@react-email/components'
import { Action, Title } from './Action'
import { Layout } from './Layout'

export interface NotificationsMailProps {
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
export function NotificationsMail({ title, lines, more, link, settings }: NotificationsMailProps) {
  return (
    <Layout preview={title}>
      <Title>{title}</Title>
      <Hr style={{ margin: '16px 0' }} />
      {lines.map(({ text, where, link: to }) => (
        <Text key={`${to} ${text}`} style={TEXT}>
          <Link href={to} style={{ color: '#0f766e' }}>
            {text}
          </Link>
          {where !== '' && <span style={{ color: '#5c5e59' }}> in {where}</span>}
        </Text>
      ))}
      {more > 0 && <Text style={QUIET}>And {more} more.</Text>}
      <Action href={link}>Open project</Action>
      {settings !== null && (
        <Text style={QUIET}>
          You choose what you are told in your <Link href={settings}>notification settings</Link>.
        </Text>
      )}
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px' } as const
const QUIET = { ...TEXT, fontSize: 13, color: '#5c5e59' } as const
