import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import './library.css'
import './base.css'
import notices from './notify.module.css'
import { cssVariables, theme } from './theme'

const NOTICE_SECONDS = 8
const schemes = localStorageColorSchemeManager({ key: 'parley-theme' })

/** Required around everything of src/ui: theme, colour scheme (light, dark or the system's), notifications. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Notifications
        position="bottom-right"
        autoClose={NOTICE_SECONDS * 1000}
        limit={4}
        containerWidth={360}
        zIndex={400}
        classNames={{ root: notices.corner, notification: notices.slot }}
      />
      {children}
    </MantineProvider>
  )
}
