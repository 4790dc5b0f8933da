import { useMantineColorScheme } from '@mantine/core'
import { Check, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import { chooseLanguage, languages } from '../i18n'
import { Menu, MenuEntry } from '../ui/Menu'
import styles from './Switchers.module.css'
import { leave } from './session'

/** Who is logged in; theme, language and the way out. `slim` for the rail. */
export function UserMenu({ slim }: { slim?: boolean }) {
  const { t } = useTranslation()
  const { first_name: first, last_name: last, email } = useAccount().user.account
  const initials = `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase()
  return (
    <Menu width={232} position={slim ? 'right-end' : 'top-start'}>
      <Menu.Target>
        <button type="button" className={styles.user} data-slim={slim || undefined} aria-label={t('user.menu')}>
          <span className={styles.avatar} aria-hidden="true">
            {initials}
          </span>
          {!slim && <span className={styles.name}>{`${first} ${last}`}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <div className={styles.fullName}>{`${first} ${last}`}</div>
          <div className={styles.email}>{email}</div>
        </div>
        <Menu.Divider />
        <ThemeChoice />
        {languages.length > 1 && <LanguageChoice />}
        <Menu.Divider />
        <MenuEntry leftSection={<LogOut size={15} />} onClick={leave}>
          {t('user.logout')}
        </MenuEntry>
      </Menu.Dropdown>
    </Menu>
  )
}

const themes = [
  { value: 'light', icon: <Sun size={14} /> },
  { value: 'dark', icon: <Moon size={14} /> },
  { value: 'auto', icon: <Monitor size={14} /> },
] as const

function ThemeChoice() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const names = {
    light: t('user.light'),
    dark: t('user.dark'),
    auto: t('user.system'),
  }
  return (
    <div className={styles.choice}>
      {t('user.theme')}
      <div className={styles.themes}>
        {themes.map(({ value, icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            className={styles.theme}
            aria-checked={colorScheme === value}
            aria-label={names[value]}
            title={names[value]}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(value)}
          >
            {icon}
          </Menu.Item>
        ))}
      </div>
    </div>
  )
}

function LanguageChoice() {
  const { t, i18n } = useTranslation()
  return (
    <>
      <Menu.Label>{t('user.language')}</Menu.Label>
      {languages.map((language) => (
        <MenuEntry
          key={language}
          rightSection={language === i18n.language && <Check size={14} />}
          onClick={() => chooseLanguage(language)}
        >
          {new Intl.DisplayNames([language], { type: 'language' }).of(language)}
        </MenuEntry>
      ))}
    </>
  )
}
