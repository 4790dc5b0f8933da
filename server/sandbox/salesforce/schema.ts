/** A field, as far as writes are checked by it. */
export interface Field {
  name: string
  label: string
  type:
    | 'id'
    | 'string'
    | 'textarea'
    | 'email'
    | 'phone'
    | 'url'
    | 'picklist'
    | 'reference'
    | 'boolean'
    | 'double'
    | 'datetime'
  length?: number
  /** neither empty nor defaulted: a create must give it */
  required?: boolean
  /** what a create without it gets */
  defaultValue?: string | boolean
  readOnly?: boolean
  /** upserts may name records by it */
  externalId?: boolean
  referenceTo?: string[]
  picklist?: string[]
  /** a picklist that takes no other value */
  restricted?: boolean
  custom?: boolean
  extraTypeInfo?: string
}

export interface SObject {
  name: string
  label: string
  keyPrefix: string
  fields: Field[]
  /** when a describe last changed */
  changed: Date
}

const text = (name: string, label: string, length: number, more: Partial<Field> = {}): Field => ({
  name,
  label,
  type: 'string',
  length,
  ...more,
})
const link = (name: string, label: string, to: string): Field => ({
  name,
  label,
  type: 'reference',
  length: 18,
  referenceTo: [to],
})
const pick = (name: string, label: string, picklist: string[], more: Partial<Field> = {}): Field => ({
  name,
  label,
  type: 'picklist',
  length: 255,
  picklist,
  ...more,
})

const SYSTEM: readonly Field[] = [
  { name: 'Id', label: 'Record ID', type: 'id', length: 18, readOnly: true },
  { name: 'CreatedDate', label: 'Created Date', type: 'datetime', readOnly: true },
  { name: 'LastModifiedDate', label: 'Last Modified Date', type: 'datetime', readOnly: true },
]

/** The objects of a new org, as far as chatbots use them. */
export const newSchema = (changed: Date): SObject[] =>
  [
    {
      name: 'Account',
      label: 'Account',
      keyPrefix: '001',
      fields: [
        text('Name', 'Account Name', 255, { required: true }),
        text('Phone', 'Account Phone', 40, { type: 'phone' }),
        text('Website', 'Website', 255, { type: 'url' }),
        pick('Industry', 'Industry', ['Banking', 'Education', 'Retail', 'Technology']),
        text('BillingCity', 'Billing City', 40),
        text('Description', 'Account Description', 32_000, { type: 'textarea' }),
      ],
    },
    {
      name: 'Contact',
      label: 'Contact',
      keyPrefix: '003',
      fields: [
        text('LastName', 'Last Name', 80, { required: true }),
        text('FirstName', 'First Name', 40),
        text('Email', 'Email', 80, { type: 'email' }),
        text('Phone', 'Business Phone', 40, { type: 'phone' }),
        text('Title', 'Title', 128),
        link('AccountId', 'Account ID', 'Account'),
        text('External_Id__c', 'External Id', 50, { externalId: true, custom: true }),
      ],
    },
    {
      name: 'Case',
      label: 'Case',
      keyPrefix: '500',
      fields: [
        text('CaseNumber', 'Case Number', 30, { readOnly: true }),
        text('Subject', 'Subject', 255),
        text('Description', 'Description', 32_000, { type: 'textarea' }),
        pick('Origin', 'Case Origin', ['Phone', 'Email', 'Web', 'Chat'], { defaultValue: 'Web' }),
        pick('Status', 'Status', ['New', 'Working', 'Escalated', 'Closed'], { defaultValue: 'New' }),
        pick('Priority', 'Priority', ['High', 'Medium', 'Low'], { defaultValue: 'Medium', restricted: true }),
        link('ContactId', 'Contact ID', 'Contact'),
        link('AccountId', 'Account ID', 'Account'),
        text('SuppliedEmail', 'Web Email', 80, { type: 'email' }),
        text('SuppliedName', 'Web Name', 80),
      ],
    },
    {
      name: 'Knowledge__kav',
      label: 'Knowledge',
      keyPrefix: 'ka0',
      fields: [
        text('KnowledgeArticleId', 'Knowledge Article ID', 18),
        text('Title', 'Title', 255, { required: true }),
        text('Summary', 'Summary', 1_000, { type: 'textarea' }),
        text('UrlName', 'URL Name', 255),
        pick('Language', 'Language', ['en_US', 'de', 'fr'], { defaultValue: 'en_US' }),
        pick('PublishStatus', 'Publication Status', ['Draft', 'Online', 'Archived'], { defaultValue: 'Online' }),
        {
          name: 'IsVisibleInPkb',
          label: 'Visible In Public Knowledge Base',
          type: 'boolean',
          defaultValue: true,
        } as const,
        { name: 'LastPublishedDate', label: 'Last Published Date', type: 'datetime' } as const,
        text('Answer__c', 'Answer', 32_000, { type: 'textarea', extraTypeInfo: 'richtextarea', custom: true }),
        text('Notes__c', 'Notes for the team', 32_000, {
          type: 'textarea',
          extraTypeInfo: 'richtextarea',
          custom: true,
        }),
      ],
    },
  ].map((sobject) => ({ ...sobject, fields: [...SYSTEM, ...sobject.fields], changed }))

export const presentField = (field: Field) => ({
  name: field.name,
  label: field.label,
  type: field.type,
  length: field.length ?? 0,
  nillable: !field.required && field.type !== 'boolean',
  createable: !field.readOnly,
  updateable: !field.readOnly,
  custom: field.custom ?? false,
  defaultedOnCreate: field.defaultValue !== undefined,
  externalId: field.externalId ?? false,
  idLookup: field.type === 'id' || (field.externalId ?? false) || field.type === 'email',
  unique: false,
  calculated: false,
  extraTypeInfo: field.extraTypeInfo ?? null,
  referenceTo: field.referenceTo ?? [],
  restrictedPicklist: field.restricted ?? false,
  picklistValues: (field.picklist ?? []).map((value) => ({
    value,
    label: value,
    active: true,
    defaultValue: value === field.defaultValue,
  })),
})

export const presentObject = ({ name, label, keyPrefix }: SObject) => ({
  name,
  label,
  keyPrefix,
  queryable: true,
  createable: true,
  updateable: true,
})
