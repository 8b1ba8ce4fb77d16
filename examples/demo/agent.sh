# The agent of `espalier demo`: reads its prompt on stdin, reports progress, waits a little, writes files. It costs nothing, so it
# reports no usage.
say() { printf '{"type":"progress","message":"%s"}\n' "$1"; sleep "$2"; }
prompt=$(cat)
say "reading the task" 0.3
case $ESPALIER_TASK in
  schema) mkdir -p db; say "designing the tables" 0.5
    printf 'create table users (id, name);\ncreate table orders (id, user_id);\n' > db/schema.sql ;;
  seed) say "inventing customers" 0.6; printf "insert into users values (1, 'Ada');\n" > db/seed.sql ;;
  config) mkdir -p config; say "choosing defaults" 0.4; printf '{"port": 8080}\n' > config/app.json ;;
  users|orders) say "writing the handler" 0.6; printf 'export const list = () => []\n' > "api/$ESPALIER_TASK.js"
    say "adding the route" 0.6; printf 'GET /%s\n' "$ESPALIER_TASK" >> api/routes.txt ;;
  payments) say "connecting the gateway" 0.7
    if [ "$ESPALIER_ATTEMPT" = 1 ]; then
      printf '{"type":"outcome","status":"failed","summary":"the gateway stub did not answer"}\n'; exit 1
    fi
    case $prompt in *"gateway stub"*) say "using the fallback the last attempt asked for" 0.4 ;; esac
    printf 'export const pay = () => "ok"\n' > api/payments.js ;;
  header|footer) mkdir -p web; say "drawing the $ESPALIER_TASK" 1.1; printf '<%s>Tea</%s>\n' "$ESPALIER_TASK" "$ESPALIER_TASK" > "web/$ESPALIER_TASK.html" ;;
  home) say "putting it together" 0.7; cat web/header.html web/footer.html > web/home.html ;;
  search) say "building the index" 0.8; printf 'export const find = () => []\n' > api/search.js ;;
  docs) mkdir -p docs; say "describing the routes" 0.6; { printf '# API\n\n'; sed 's/^/- /' api/routes.txt; } > docs/api.md ;;
esac
printf '{"type":"outcome","status":"success","summary":"%s is done"}\n' "$ESPALIER_TASK"
