import { Body, Container, Head, Html, Preview } from '@react-email/components'
import type { ReactNode } from 'react'

interface LayoutProps {
  preview: string
  lang?: string
  dir?: 'ltr' | 'rtl'
  children: ReactNode
}

/** The frame of every mail: one column that all mail programs can render. */
export function Layout({ preview, lang = 'en', dir = 'ltr', children }: LayoutProps) {
  return (
    <Html lang={lang} dir={dir}>
      <Head />
      {preview !== '' && <Preview>{preview}</Preview>}
      <Body style={{ margin: 0, padding: '24px 12px', backgroundColor: '#ffffff' }}>
        <Container style={COLUMN}>{children}</Container>
      </Body>
    </Html>
  )
}

const COLUMN = {
  maxWidth: 600,
  margin: '0 auto',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
  fontSize: 15,
  color: '#1a1a1a',
  // a long address would widen the column beyond a phone's screen: tables grow with their longest word unless it may
  // break
  wordBreak: 'break-word',
} as const
