/** A text with a password in it, and where such texts stand. */
export type Context = (password: string) => string

const basic = (password: string): string => Buffer.from(`bob:${password}`).toString("base64")

/** The places in which a password is one because of what stands around it. */
export const contexts: Readonly<Record<string, ReadonlyArray<Context>>> = {
  env: [
    (p) => `PORT=3000\nDB_PASSWORD=${p}\nNODE_ENV=production`,
    (p) => `export API_TOKEN="${p}"`,
    (p) => `JWT_SECRET='${p}' npm start`,
    (p) => `SMTP_PASS=${p}`
  ],
  yaml: [
    (p) => `database:\n  user: app\n  password: ${p}\n  port: 5432`,
    (p) => `token: "${p}" # rotate`,
    (p) => `password: |\n  ${p}\nuser: bob`,
    (p) => `password:\n  ${p}\n`,
    (p) => `env:\n  - name: DB_PASSWORD\n    value: ${p}\n`,
    (p) => `stringData:\n  client-secret: '${p}'`
  ],
  json: [
    (p) => JSON.stringify({ user: "bob", password: p }),
    (p) => JSON.stringify({ config: { apiKey: p, region: "eu" } }, null, 2),
    (p) => JSON.stringify(JSON.stringify({ clientSecret: p })),
    (p) => `{"name":"DB_PASSWORD","value":"${p}"}`,
    (p) => `{"password":\n    "${p}"}`
  ],
  toml: [
    (p) => `[database]\npassword = "${p}"\n`,
    (p) => `auth_token = '${p}'`,
    (p) => `[registry]\ntoken = "${p}"\nindex = "https://example.com"`
  ],
  ini: [
    (p) => `[client]\nuser=root\npassword=${p}\n`,
    (p) => `aws_secret_access_key = ${p}`,
    (p) => `spring.datasource.password=${p}`,
    (p) => `//registry.example.com/:_authToken=${p}`
  ],
  shell: [
    (p) => `docker login -u bob -p ${p} registry.example.com`,
    (p) => `docker login registry.example.com --username bob --password ${p}`,
    (p) => `mysql -uroot -p${p} app`,
    (p) => `mysqldump -u root -p'${p}' app > dump.sql`,
    (p) => `sshpass -p ${p} ssh root@host`,
    (p) => `redis-cli -h cache -a ${p} ping`,
    (p) => `PGPASSWORD=${p} psql -h db -U app`,
    (p) => `ldapsearch -x -D cn=admin -w ${p} -b dc=example`,
    (p) => `htpasswd -cb .htpasswd bob ${p}`,
    (p) => `openssl rsa -in key.pem -passin pass:${p}`,
    (p) => `deploy --token=${p} --verbose`,
    (p) => `app --password "${p}"`
  ],
  sql: [
    (p) => `CREATE USER 'app'@'%' IDENTIFIED BY '${p}';`,
    (p) => `ALTER USER 'app' IDENTIFIED WITH caching_sha2_password BY '${p}';`,
    (p) => `CREATE ROLE app LOGIN PASSWORD '${p}';`,
    (p) => `ALTER ROLE app WITH ENCRYPTED PASSWORD '${p}' VALID UNTIL 'infinity';`,
    (p) => `SET PASSWORD FOR 'bob'@'localhost' = PASSWORD('${p}');`,
    (p) => `CREATE LOGIN app WITH PASSWORD = '${p}';`,
    (p) => `create user app identified by "${p}"`
  ],
  headers: [
    (p) => `GET / HTTP/1.1\nHost: example.com\nAuthorization: Bearer ${p}\nAccept: */*`,
    (p) => `Authorization: Basic ${basic(p)}`,
    (p) => `X-Api-Key: ${p}`,
    (p) => `Cookie: theme=dark; session=${p}`,
    (p) => `Set-Cookie: sid=${p}; Path=/; HttpOnly`,
    (p) => `Proxy-Authorization: Basic ${basic(p)}`
  ],
  curl: [
    (p) => `curl -u bob:${p} https://example.com/`,
    (p) => `curl -H "Authorization: Bearer ${p}" https://example.com/`,
    (p) => `curl --header 'X-Api-Key: ${p}' https://example.com/`,
    (p) => `curl -d '{"password":"${p}"}' https://example.com/login`,
    (p) => `curl -d "user=bob&password=${p}" https://example.com/login`
  ],
  urls: [
    (p) => `postgres://app:${encodeURIComponent(p)}@db.example.com:5432/app`,
    (p) => `https://bob:${encodeURIComponent(p)}@git.example.com/repo.git`,
    (p) => `redis://:${encodeURIComponent(p)}@cache:6379/0`,
    (p) => `https://example.com/callback?access_token=${encodeURIComponent(p)}&state=1`,
    (p) => `Server=db;Database=app;User Id=sa;Password=${p};Encrypt=true`,
    (p) => `jdbc:mysql://db/app?user=root&password=${encodeURIComponent(p)}`
  ],
  code: [
    (p) => `define('DB_PASSWORD', '${p}');`,
    (p) => `const password = "${p}"`,
    (p) => `request.setHeader("X-Api-Key", "${p}")`,
    (p) => `spawn("tool", ["--password", "${p}"])`,
    (p) => `$config['password'] = '${p}';`,
    (p) => `'password' => '${p}',`,
    (p) => `os.environ["API_TOKEN"] = "${p}"`,
    (p) => `private static final String PASSWORD = "${p}";`
  ],
  files: [
    (p) => `machine example.com login bob password ${p}`,
    (p) => `machine example.com\n  login bob\n  password ${p}\n`,
    (p) => `db.example.com:5432:app:bob:${p}`,
    (p) => `*:*:*:postgres:${p}`,
    (p) => `<add key="Password" value="${p}" />`,
    (p) => `<server><id>nexus</id><password>${p}</password></server>`,
    (p) => `<key>password</key>\n<string>${p}</string>`
  ],
  prose: [
    (p) => `the password is ${p}`,
    (p) => `The password for the staging database is ${p}.`,
    (p) => `I set the password to ${p}, please change it`,
    (p) => `Password: ${p}`,
    (p) => `Password:\n${p}\n`,
    (p) => `| user | bob |\n| password | ${p} |`,
    (p) => `das Passwort lautet ${p}`,
    (p) => `le mot de passe est ${p}`,
    (p) => `la contraseña es ${p}`,
    (p) => `log in with bob, password \`${p}\``,
    (p) => `the api key is "${p}"`,
    (p) => `**Password:** ${p}`
  ]
}
