/** How n8n reaches a project: an API key of it, with the right to change things. */
class ParleyApi {
  name = 'parleyApi'
  displayName = 'Parley API'
  properties = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://parley.example.com',
      required: true,
    },
    {
      displayName: 'Project ID',
      name: 'project',
      type: 'string',
      default: '',
      required: true,
      description: 'In the address of each screen of the project, after /projects/',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
    },
  ]
  authenticate = { type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } } }
  test = {
    request: {
      baseURL: '={{$credentials.baseUrl}}',
      url: '=/api/projects/{{$credentials.project}}/webhooks',
    },
  }
}

module.exports = { ParleyApi }
