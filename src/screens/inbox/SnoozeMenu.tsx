import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../i18n/format'
import { Menu, MenuEntry } from '../../ui/Menu'
import styles from './inbox.module.css'
import { snoozeTimes } from './snoozeTimes'

interface SnoozeMenuProps {
  children: ReactElement
  /** something is snoozed: it can be woken */
  mayWake: boolean
  /** @param until null wakes */
  onSnooze: (until: string | null) => void
  /** asks for a time of one's own */
  onChoose: () => void
}

/** Until when conversations are put away: times to choose from, or one's own. Its button is the child. */
export function SnoozeMenu({ children, mayWake, onSnooze, onChoose }: SnoozeMenuProps) {
  const { t } = useTranslation('inbox')
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {snoozeTimes(new Date()).map(({ name, at }) => (
          <MenuEntry
            key={name}
            rightSection={<span className={styles.when}>{formatMoment(at)}</span>}
            onClick={() => onSnooze(at.toISOString())}
          >
            {t(`snooze.${name}`)}
          </MenuEntry>
        ))}
        <MenuEntry onClick={onChoose}>{t('snooze.choose')}</MenuEntry>
        {mayWake && (
          <>
            <Menu.Divider />
            <MenuEntry onClick={() => onSnooze(null)}>{t('snooze.wake')}</MenuEntry>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
