import { ListFilter } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { widgetLanguages } from '../../../engine/values/languages'
import type { InboxSetup } from '../../../server/contracts/inbox'
import { languageName } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Popover } from '../../ui/Popover'
import { Select } from '../../ui/Select'
import styles from './inbox.module.css'
import { type FilterName, filterNames, useInboxPlace } from './inboxPlace'
import { KeepViewDialog } from './KeepViewDialog'
import { useShownView } from './KeptViews'
import { PeriodFilter } from './PeriodFilter'

/** Without regions: each is looked for in all of its own. */
const LANGUAGES = [...new Set(widgetLanguages.map(({ code }) => code.split('-')[0] ?? code))]

const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]))

/** What restricts the list beside its view. */
export function Filters({ setup }: { setup: InboxSetup | undefined }) {
  const { t } = useTranslation('inbox')
  const { cgid, filters, filter } = useInboxPlace()
  const [isOpen, setOpen] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const shown = useShownView()
  // both ends of a period are one filter
  const { chatbot, until: _, ...others } = filters
  const count = Object.keys(others).length + (chatbot && !cgid ? 1 : 0)
  const set = (name: FilterName) => (value: string | null) => filter({ [name]: value ?? undefined })
  const languages = useMemo(
    () =>
      LANGUAGES.map((value) => ({ value, label: languageName(value) })).sort((a, b) => a.label.localeCompare(b.label)),
    [],
  )
  const shared = { clearable: true, comboboxProps: { withinPortal: false } } as const
  return (
    <>
      <Popover position="bottom-end" width={360} trapFocus opened={isOpen} onChange={setOpen}>
        <Popover.Target>
          <IconButton
            label={count > 0 ? t('filters.active', { count }) : t('filters.label')}
            icon={<ListFilter size={15} />}
            design="bordered"
            active={count > 0}
            onClick={() => setOpen(!isOpen)}
          />
        </Popover.Target>
        <Popover.Dropdown className={styles.filters} aria-label={t('filters.label')}>
          {!cgid && (
            <Select
              {...shared}
              label={t('filters.chatbot')}
              data={(setup?.chatbots ?? []).map(({ gid, name }) => ({ value: gid, label: name }))}
              value={chatbot ?? null}
              onChange={set('chatbot')}
            />
          )}
          {setup && setup.teams.length > 0 && (
            <Select
              {...shared}
              label={t('filters.team')}
              data={setup.teams.map(({ gid, name }) => ({ value: gid, label: name }))}
              value={filters.team ?? null}
              onChange={set('team')}
            />
          )}
          <Select
            {...shared}
            label={t('filters.labelled')}
            data={(setup?.labels ?? []).map(({ gid, name }) => ({ value: gid, label: name }))}
            value={filters.label ?? null}
            onChange={set('label')}
          />
          <Select
            {...shared}
            label={t('filters.channel')}
            data={[
              { value: 'web', label: t('channels.web') },
              { value: 'whatsapp', label: t('channels.whatsapp') },
              { value: 'message_api', label: t('channels.message_api') },
            ]}
            value={filters.channel ?? null}
            onChange={set('channel')}
          />
          <Select
            {...shared}
            label={t('filters.language')}
            searchable
            data={languages}
            value={filters.language ?? null}
            onChange={set('language')}
          />
          <Select
            {...shared}
            label={t('filters.rating')}
            data={['5', '4', '3', '2', '1'].map((value) => ({
              value,
              label: t('filters.ratingOf', { rating: value }),
            }))}
            value={filters.rating ? String(filters.rating) : null}
            onChange={set('rating')}
          />
          <Select
            {...shared}
            label={t('filters.environment')}
            data={[
              { value: 'production', label: t('environments.production') },
              { value: 'sharing', label: t('environments.sharing') },
            ]}
            value={filters.environment ?? null}
            onChange={set('environment')}
          />
          <PeriodFilter />
          {count > 0 && (
            <Button
              size="s"
              disabled={shown !== undefined}
              onClick={() => {
                setOpen(false)
                setNaming(true)
              }}
            >
              {t('kept.keep')}
            </Button>
          )}
          {count > 0 && (
            <Button
              size="s"
              onClick={() => {
                // the button goes, and what had the focus would have it no more
                setOpen(false)
                filter(noFilters)
              }}
            >
              {t('filters.clear')}
            </Button>
          )}
        </Popover.Dropdown>
      </Popover>
      <KeepViewDialog opened={isNaming} teams={setup?.teams ?? []} onClose={() => setNaming(false)} />
    </>
  )
}
