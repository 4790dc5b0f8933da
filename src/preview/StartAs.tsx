import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TestVisit, testVisitSchema } from '../../server/contracts/playground'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { Popover } from '../ui/Popover'
import { TextField } from '../ui/TextField'
import css from './StartAs.module.css'

type Entries = Record<keyof TestVisit, string>
const nobody: Entries = { url: '', away_days: '', language: '' }

/** The simulated visit of the next test, which triggers check. */
export function StartAs({ visit, onStart }: { visit: TestVisit; onStart: (visit: TestVisit) => void }) {
  const { t } = useTranslation('preview')
  const [opened, setOpened] = useState(false)
  const [entries, setEntries] = useState(nobody)
  const { visit: entered, problems } = readVisit(entries)
  const isSomebody = Object.keys(visit).length > 0

  const field = (name: keyof TestVisit) => ({
    label: t(`as.${name}`),
    placeholder: t(`as.${name}_placeholder`),
    value: entries[name],
    error: problems.includes(name) && t(`as.${name}_problem`),
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntries({ ...entries, [name]: event.currentTarget.value }),
  })
  function start(next: TestVisit) {
    onStart(next)
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={300} shadow="lg" trapFocus returnFocus>
      <Popover.Target>
        <IconButton
          label={t('as.title')}
          icon={<UserRound size={15} />}
          active={isSomebody}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('as.title')}>
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (problems.length === 0) start(entered)
          }}
        >
          <p>{t('as.help')}</p>
          <TextField {...field('url')} inputMode="url" />
          <TextField {...field('away_days')} inputMode="numeric" description={t('as.away_days_help')} />
          <TextField {...field('language')} />
          <div className={css.actions}>
            {isSomebody && (
              <Button
                design="bordered"
                onClick={() => {
                  setEntries(nobody)
                  start({})
                }}
              >
                {t('as.clear')}
              </Button>
            )}
            <Button type="submit" design="primary" disabled={problems.length > 0}>
              {t('as.start')}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Validates the entries for the server; empty fields are omitted. */
function readVisit(entries: Entries): { visit: TestVisit; problems: string[] } {
  const { url, away_days, language } = entries
  const given = {
    ...(url.trim() && { url: url.trim() }),
    ...(away_days.trim() && { away_days: Number(away_days) }),
    ...(language.trim() && { language: language.trim() }),
  }
  const parsed = testVisitSchema.safeParse(given)
  return parsed.success
    ? { visit: parsed.data, problems: [] }
    : { visit: {}, problems: parsed.error.issues.map(({ path }) => String(path[0])) }
}
