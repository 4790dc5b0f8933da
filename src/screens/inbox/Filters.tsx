import { ListFilter } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxSetup } from '../../../server/contracts/inbox'
import { languageName } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Popover } from '../../ui/Popover'
import { Select } from '../../ui/Select'
import styles from './inbox.module.css'
import { type FilterName, useInboxPlace } from './inboxPlace'

const DAY = 86_400_000
const periods = [1, 7, 30, 90] as const
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'tr', 'ru', 'ar', 'zh', 'ja']

/** What restricts the list beside its view. */
export function Filters({ setup }: { setup: InboxSetup | undefined }) {
  const { t } = useTranslation('inbox')
  const { cgid, filters, filter } = useInboxPlace()
  const { chatbot, ...others } = filters
  const count = Object.keys(others).length + (chatbot && !cgid ? 1 : 0)
  const set = (name: FilterName) => (value: string | null) => filter({ [name]: value ?? undefined })
  const days = filters.since ? Math.round((Date.now() - Date.parse(filters.since)) / DAY) : null
  const shared = { clearable: true, comboboxProps: { withinPortal: false } } as const
  return (
    <Popover position="bottom-end" width={260} trapFocus>
      <Popover.Target>
        <IconButton
          label={count > 0 ? t('filters.active', { count }) : t('filters.label')}
          icon={<ListFilter size={15} />}
          design="bordered"
          active={count > 0}
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
          data={LANGUAGES.map((code) => ({ value: code, label: languageName(code) }))}
          value={filters.language ?? null}
          onChange={set('language')}
        />
        <Select
          {...shared}
          label={t('filters.rating')}
          data={['5', '4', '3', '2', '1'].map((value) => ({ value, label: t('filters.ratingOf', { rating: value }) }))}
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
        <Select
          {...shared}
          label={t('filters.period')}
          data={periods.map((value) => ({ value: String(value), label: t('filters.days', { count: value }) }))}
          value={days === null ? null : String(days)}
          onChange={(value) =>
            filter({ since: value ? new Date(Date.now() - Number(value) * DAY).toISOString() : undefined })
          }
        />
        {count > 0 && (
          <Button
            size="s"
            onClick={() =>
              filter({
                chatbot: undefined,
                label: undefined,
                team: undefined,
                channel: undefined,
                language: undefined,
                rating: undefined,
                environment: undefined,
                since: undefined,
              })
            }
          >
            {t('filters.clear')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
