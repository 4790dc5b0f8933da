import { useMantineColorScheme } from '@mantine/core'
import { CircleUserRound, LogOut, Monitor, MonitorOff, Moon, ServerCog, Sun } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import { useOperatorNotice } from '../api/admin'
import { switchLanguage } from '../api/language'
import { languageName, languages } from '../i18n'
import { Avatar } from '../ui/Avatar'
import { Menu, MenuEntry } from '../ui/Menu'
import { askToLeave } from './LogOut'
import { LogOutElsewhere } from './LogOutElsewhere'
import styles from './Switchers.module.css'

/** The account; theme, language and logout. `slim` for the rail. */
export function UserMenu({ slim }: { slim?: boolean }) {
  const { t } = useTranslation()
  const { ui, account, project } = useAccount().user
  const { first_name: first, last_name: last, email, picture } = account
  const [elsewhere, setElsewhere] = useState(false)
  const runsIt = useOperatorNotice()?.operator === true
  return (
    <>
      <Menu width={232} position={slim ? 'right-end' : 'top-start'}>
        <Menu.Target>
          <button type="button" className={styles.user} data-slim={slim || undefined} aria-label={t('user.menu')}>
            <Avatar name={`${first} ${last}`} picture={picture} size={22} />
            {!slim && <span className={styles.name}>{`${first} ${last}`}</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={styles.who}>
            <div className={styles.fullName}>{`${first} ${last}`}</div>
            <div className={styles.email}>{email}</div>
          </div>
          <Menu.Divider />
          {project && (
            <MenuEntry to={`/projects/${project.gid}/settings/account`} leftSection={<CircleUserRound size={15} />}>
              {t('user.account')}
            </MenuEntry>
          )}
          {runsIt && (
            <MenuEntry to="/admin" leftSection={<ServerCog size={15} />}>
              {t('user.admin')}
            </MenuEntry>
          )}
          <ThemeChoice />
          {languages.length > 1 && <LanguageChoice />}
          <Menu.Divider />
          <MenuEntry leftSection={<MonitorOff size={15} />} onClick={() => setElsewhere(true)}>
            {t('user.logoutElsewhere')}
          </MenuEntry>
          <MenuEntry leftSection={<LogOut size={15} />} onClick={() => void askToLeave(ui)}>
            {t('user.logout')}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
      <LogOutElsewhere opened={elsewhere} onClose={() => setElsewhere(false)} />
    </>
  )
}

const themes = [
  { value: 'light', icon: <Sun size={15} /> },
  { value: 'dark', icon: <Moon size={15} /> },
  { value: 'auto', icon: <Monitor size={15} /> },
] as const

function ThemeChoice() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const names = { light: t('user.light'), dark: t('user.dark'), auto: t('user.system') }
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as keyof typeof names)}>
      <Menu.Label>{t('user.theme')}</Menu.Label>
      {themes.map(({ value, icon }) => (
        <Menu.RadioItem key={value} value={value}>
          <span className={styles.choice}>
            {icon} {names[value]}
          </span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

function LanguageChoice() {
  const { t, i18n } = useTranslation()
  return (
    <Menu.RadioGroup value={i18n.language} onChange={switchLanguage}>
      <Menu.Label>{t('user.language')}</Menu.Label>
      {languages.map((language) => (
        <Menu.RadioItem key={language} value={language}>
          {languageName(language)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
