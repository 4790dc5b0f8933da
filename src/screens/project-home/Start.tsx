import { useQuery } from '@tanstack/react-query'
import { ArrowRight, FileUp, Sparkles, Workflow } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useCan } from '../../api/account'
import { fieldOr } from '../../api/failure'
import { templatesQuery } from '../../api/templates'
import { useTrainWebsite } from '../../api/trainWebsite'
import { FlowPicture } from '../../templates/FlowPicture'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/TextField'
import styles from './ProjectHomeScreen.module.css'

/** The most popular templates, as many as fill a row. */
const SHOWN = ['lead-qualification', 'faq', 'appointment-booking', 'order-status']
/** The template with every kind of block. */
const EXAMPLE = 'bicycle-workshop'

/** Ways to create a chatbot: a website, a blank canvas, a file, the example, a template. */
export function Start({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const create = `/projects/${pgid}/chatbots/new`
  const mayTrain = useCan('knowledge_base.create')
  const mayImport = useCan('builder.update')
  const { data: templates } = useQuery(templatesQuery())
  const example = templates?.find(({ slug }) => slug === EXAMPLE)
  return (
    <section className={styles.start} aria-label={t('home.start')}>
      {mayTrain && <Train pgid={pgid} />}
      <ul className={styles.ways}>
        <Way to={create} icon={<Workflow />} title={t('home.scratch')} hint={t('home.scratchHint')} />
        {mayImport && (
          <Way to={`${create}?from=file`} icon={<FileUp />} title={t('home.import')} hint={t('home.importHint')} />
        )}
        <Way
          to={`${create}?from=template&template=${EXAMPLE}`}
          icon={example ? <FlowPicture sketch={example.sketch} /> : <Sparkles />}
          picture={example !== undefined}
          title={t('home.example')}
          hint={t('home.exampleHint')}
        />
      </ul>
      <Templates create={create} />
    </section>
  )
}

/** Creates a chatbot that answers from a website. */
function Train({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [address, setAddress] = useState('')
  const [empty, setEmpty] = useState(false)
  const train = useTrainWebsite(pgid, (host) => t('home.describe', { host }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (address.trim() === '') return setEmpty(true)
    train.mutate(address, {
      onSuccess: ({ cgid, crawl }) => void navigate(`/projects/${pgid}/chatbots/${cgid}/train?crawl=${crawl}`),
    })
  }
  const wrong = empty ? t('home.addressEmpty') : train.error && fieldOr(train.error, 'url', common('errors.message'))
  return (
    <form className={styles.train} onSubmit={submit} noValidate>
      <div>
        <h2 className={styles.trainTitle}>{t('home.train')}</h2>
        <p className={styles.hint}>{t('home.trainHint')}</p>
      </div>
      <div className={styles.address}>
        <TextField
          aria-label={t('home.address')}
          placeholder={t('home.addressPlaceholder')}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          value={address}
          error={wrong || undefined}
          onChange={(event) => {
            setEmpty(false)
            train.reset()
            setAddress(event.currentTarget.value)
          }}
        />
        <Button type="submit" design="primary" loading={train.isPending}>
          {t('home.trainSubmit')}
        </Button>
      </div>
    </form>
  )
}

interface WayProps {
  to: string
  icon: ReactNode
  /** a larger icon */
  picture?: boolean
  title: string
  hint: string
}

function Way({ to, icon, picture, title, hint }: WayProps) {
  return (
    <li>
      <Link to={to} className={styles.way}>
        <span className={picture ? styles.thumbnail : styles.icon}>{icon}</span>
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          <span className={styles.hint}>{hint}</span>
        </span>
      </Link>
    </li>
  )
}

/** A few templates with their sketches. If they can't be loaded, only the link to all of them is shown. */
function Templates({ create }: { create: string }) {
  const { t } = useTranslation('projects')
  const { data: templates } = useQuery(templatesQuery())
  const shown = SHOWN.flatMap((slug) => templates?.find((template) => template.slug === slug) ?? [])
  return (
    <div className={styles.templates}>
      <header className={styles.head}>
        <h2 className={styles.heading}>{t('home.templates')}</h2>
        <Link to={`${create}?from=template`} className={styles.more}>
          {t('home.allTemplates')} <ArrowRight size={14} aria-hidden />
        </Link>
      </header>
      <ul className={styles.cards}>
        {SHOWN.map((slug, at) => {
          const template = shown[at]
          return (
            <li key={slug}>
              {template ? (
                <Link to={`${create}?from=template&template=${template.slug}`} className={styles.card}>
                  <span className={styles.picture}>
                    <FlowPicture sketch={template.sketch} />
                  </span>
                  <span className={styles.cardTitle}>{template.title}</span>
                </Link>
              ) : (
                <span className={styles.card} aria-hidden>
                  <span className={styles.picture} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
